package evidence

// zeroTopic holds the ways a test runner says that it selected or executed nothing (PS-13, TRAPS "0 tests executed",
// "collected 0 items"). Most are alone: a runner prints one such line per empty package beside
// the packages that did run.
func zeroTopic() topic {
	return topic{
		phrases: zeroPhrases,
		cues: map[string]string{
			"en": "0*|zero|no|none|nothing|not|deselected|skipped|filtered",
			"":   "1",
			"pt": "0*|zero|nenhum*|nenhuns|sem|nao",
			"es": "0*|cero|ningun*|no|sin",
		},
		lists: map[string]string{
			"tests": "test|tests|spec|specs|scenario|scenarios|test_case|test_cases|test_suites|test_files|benchmarks|subtests|suites",
			// Other things are found and matched too: these count only when they ran or were selected.
			"things":   "item|items|case|cases|example|examples|check|checks",
			"ran":      "executed|ran|run|selected|collected|were_run|were_executed|were_selected|were_collected|was_run|was_executed",
			"done":     "executed|ran|run|selected|collected|found|matched|discovered|were_run|were_executed|were_selected|were_found|were_collected|to_run|was_run|have_run|completed|matching|match|was_executed|was_found|was_selected|was_collected",
			"did":      "ran|executed|selected|collected|found|discovered|matched|running|run",
			"pt-tests": "teste|testes|cenários|casos|itens",
			"pt-done":  "executado|executados|selecionado|selecionados|coletado|coletados|encontrado|encontrados|rodou|rodado|rodados|foi_executado|foram_executados|foi_selecionado|foram_selecionados|foi_encontrado|rodaram",
			"es-tests": "prueba|pruebas|escenarios|casos|tests|test|elementos",
			"es-done":  "ejecutada|ejecutadas|ejecutados|seleccionada|seleccionadas|seleccionados|encontrada|encontradas|encontrados|recopiladas|fue_ejecutada|fueron_ejecutadas",
			"th-tests": "การทดสอบ|เทสต์|เทส|กรณีทดสอบ|รายการทดสอบ",
			"th-did":   "รัน|ดำเนินการ|ถูกรัน|ที่ถูกรัน|ที่รัน|ถูกเลือก|ทำงาน",
			"zh-tests": "测试|測試|测试用例|測試用例|用例|測試案例|任何测试|任何測試",
			"zh-did":   "运行|運行|执行|執行|收集|选中|選中|找到|发现|發現",
		},
		// "not run: 0" counts what was left out.
		before: []string{"not", "never"},
		// "0 tests failed" and "executed: 0 errors" count failures, not tests.
		after: []string{
			"failed", "failing", "failures", "failure", "errors", "error", "skipped", "warnings", "issues", "problems", "were skipped", "for", "files", "file", "flaky", "regressions", "deselected", "times", "retries",
			"falhos", "falhando", "quebrados", "pulados", "ignorados", "omitidas", "fallidos", "falharam", "falhas", "erros", "fallos", "errores", "fallidas", "失败", "失敗", "错误", "錯誤", "ล้มเหลว", "ใดล้มเหลว", "ที่ล้มเหลว", "ไหนล้มเหลว", "ข้อผิดพลาด",
		},
	}
}

var zeroPhrases = []phrase{
	{
		"0|zero <tests> <done>", "en", alone,
		[]string{"0 tests executed", "zero tests ran", "0 tests run", "0 specs ran", "Found 3 files; 0 tests matched"},
		[]string{"10 tests executed", "not run: 0", "0 tests failed", "executed=0.8s", "14 tests executed, 0 failed", "0 found", "0 matched", "0 vulnerabilities found"},
	},
	{
		"0|zero|no <things>? <ran>", "en", alone,
		[]string{"0 selected", "0 items collected", "no checks ran", "collected 14 items / 14 deselected / 0 selected", "0 executed"},
		[]string{"100 selected", "no items found in the backlog", "no cases found where rates differ", "log rotated; 0 selected for deletion", "0 items skipped"},
	},
	{
		"<did> 0|zero|no <tests>|<things>", "en", alone,
		[]string{"Ran 0 tests in 0.000s", "collected 0 items", "running 0 tests", "Executed 0 tests, with 0 failures", "found no tests", "selected zero tests"},
		[]string{"Ran 14 tests in 0.2s", "collected 14 items", "found no errors", "test result: ok. 14 passed; 0 failed. Doc-tests: running 0 tests", "ran 0 tests failed"},
	},
	{
		"ran|executed|selected|collected|tests|scenarios|specs|examples =|: 0", "en", alone,
		[]string{"ran=0/0", "executed=0", "tests: 0", "Total tests: 0", "ran=0"},
		[]string{"ran=10/10", "executed=0.8s", "executed: 0 errors", "Total: 0 (HIGH: 0, CRITICAL: 0)", "tests: 0 failed, 14 passed", "ran=14/14; 14 passed, 0 failed"},
	},
	{
		"run : 0", "en", alone,
		[]string{"Tests run: 0, Failures: 0, Errors: 0"},
		[]string{"Tests run: 14, Failures: 0", "run: 0 errors"},
	},
	{
		"^ 0|zero <tests>|examples|checks|runs $", "en", alone,
		[]string{"0 tests", "0 specs", "0 scenarios", "0 examples, 0 failures", "0 runs, 0 assertions", "OK (0 tests, 0 assertions)"},
		[]string{"10 tests", "0 tests failed", "14 passed, 0 tests"},
	},
	{
		"^ <tests> 0 $", "en", alone,
		[]string{"tests 0", "# tests 0"},
		[]string{"tests 14", "# tests 14\n# pass 14"},
	},
	{
		"0 <tests>? passed|passing|total|succeeded", "en", alone,
		[]string{"0 passed, 0 failed", "0 passing", "Tests: 0 total", "test result: ok. 0 passed; 0 failed; 12 filtered out", "0 passed, 14 skipped", "0 tests passed"},
		[]string{"0 failed, 14 passed", "10 passed", "0 passed, 3 failed", "total: 0 errors"},
	},
	{
		"tests|total|run =|: 0 failures|errors|skipped|disabled =|:", "en", alone,
		[]string{"tests=0 failures=0 errors=0", "<testsuite tests=\"0\" failures=\"0\">"},
		[]string{"tests=14 failures=0 errors=0"},
	},
	{
		"^ tests 0 suites|pass|fail|passed|failed 0|#", "en", alone,
		[]string{"# tests 0 # pass 0 # fail 0", "# tests 0 # suites 0 # pass 0"},
		[]string{"# tests 14 # pass 14 # fail 0"},
	},
	{
		"^ passed|passing|succeeded =|: 0", "en", alone,
		[]string{"Passed: 0, Failed: 0, Skipped: 14, Total: 14"},
		[]string{"Passed: 14, Failed: 0", "Passed: 0, Failed: 3", "passed: 0 errors"},
	},
	{
		// The percentage of this line counts nothing.
		"failed out_of 0", "en", proof,
		[]string{"100% tests passed, 0 tests failed out of 0"},
		[]string{"100% tests passed, 0 tests failed out of 14"},
	},
	{
		"no tests found for given|the|these|this", "en", alone,
		[]string{"No tests found for given includes: [rates.QuoteTest]"},
		[]string{"no tests fail for the new rates"},
	},
	{
		"no test suite|suites found", "en", alone,
		[]string{"No test suite found in file rates.test.ts"},
		[]string{"no test suite failed"},
	},
	{
		"^^ no examples found $$", "en", alone,
		[]string{"No examples found."},
		[]string{"no examples found in the changed pages; 20 links checked"},
	},
	{
		"^ none <ran> $", "en", alone,
		[]string{"tests: none executed"},
		[]string{"none executed twice", "none failed"},
	},
	{
		"/ # deselected|skipped $", "en", alone,
		[]string{"collected 14 items / 14 deselected"},
		[]string{"collected 14 items / 4 deselected / 10 selected", "14 passed / 2 skipped"},
	},
	{
		"^ # deselected|skipped in", "en", alone,
		[]string{"14 deselected in 0.02s", "===== 14 skipped in 0.03s ====="},
		[]string{"13 passed, 1 skipped in 0.03s"},
	},
	{
		"^^ # <tests>|<things>? were? skipped $$", "en", alone,
		[]string{"14 skipped", "14 tests were skipped."},
		[]string{"2 skipped, the rest green", "14 passed, 2 skipped"},
	},
	{
		"tests : # skipped", "en", alone,
		[]string{"Tests: 14 skipped, 14 total"},
		[]string{"Tests: 1 skipped, 13 passed, 14 total"},
	},
	{
		"0 of #|0 <tests>|<things>? <ran>|passed|success", "en", alone,
		[]string{"0 of 14 ran", "0 of 14 tests executed"},
		[]string{"0 of 14 failed", "0 of 14 checks failed"},
	},
	{
		"executed|ran|selected 0 of #|0", "en", alone,
		[]string{"executed 0 of 14 tests", "Executed 0 of 0 SUCCESS"},
		[]string{"executed 14 of 14 tests"},
	},
	{
		"all # <tests>|<things>? were? deselected|skipped|filtered_out", "en", alone,
		[]string{"all 14 tests deselected", "all 14 tests were skipped"},
		[]string{"3 deselected", "14 passed, all 2 windows tests skipped"},
	},
	{
		"nothing was? ran|run|executed $", "en", alone,
		[]string{"nothing ran", "nothing was executed"},
		[]string{"nothing ran twice", "nothing ran late"},
	},
	{
		"no <tests> <done>", "en", alone,
		[]string{"no tests ran", "no tests ran in 0.01s", "no tests to run", "ok  pkg  0.002s [no tests to run]", "No tests found, exiting with code 0", "No tests were found!!!", "No tests executed!", "no test cases matched", "no test was executed"},
		[]string{"no tests failed", "no tests were skipped", "14 passed; no tests to run in docs", "no failures"},
	},
	{
		"no packages to_test|to_run", "en", alone,
		[]string{"no packages to test"},
		[]string{"no packages to update"},
	},
	{
		"all <tests> were? deselected|filtered_out", "en", alone,
		[]string{"All tests were deselected"},
		[]string{"all tests passed"},
	},
	{
		"none_of_the|none_of_these|not_one|not_a_single <tests> <ran>", "en", alone,
		[]string{"none of the tests were executed", "not one test was executed", "none of the tests ran"},
		[]string{"none of the tests failed", "not a single test failed"},
	},
	{
		"no test|tests is|are available|present|defined|exist", "en", alone,
		[]string{"No test is available in x.dll"},
		[]string{"no test is flaky"},
	},
	{
		"no test matches|files", "en", alone,
		[]string{"No test matches the given testcase filter", "[no test files]"},
		[]string{"no test file changed", "14 passed; pkg/b [no test files]", "ok  pkg/a  0.2s\n?  pkg/b  [no test files]", "ok pkg/a (cached); ? pkg/b [no test files]"},
	},
	{
		"no matching tests|specs|scenarios", "en", alone,
		[]string{"no matching tests"},
		[]string{"no matching entries"},
	},
	{
		"nothing to run|test|execute", "en", alone,
		[]string{"nothing to test"},
		[]string{"nothing to fix"},
	},
	{
		"^ 1..0", "", alone,
		[]string{"1..0", "1..0 # no tests"},
		[]string{"1..14"},
	},

	{
		"0|zero <pt-tests>? <pt-done>", "pt", alone,
		[]string{"0 testes executados", "zero testes selecionados", "0 executados"},
		[]string{"10 testes executados", "14 testes executados, 0 falharam"},
	},
	{
		"nenhum|nenhuns <pt-tests> <pt-done>", "pt", alone,
		[]string{"nenhum teste executado", "nenhum teste foi executado", "Nenhum teste encontrado", "nenhum teste rodou"},
		[]string{"nenhum teste falhou", "nenhum erro encontrado"},
	},
	{
		"0|zero|nenhum aprovado|aprovados", "pt", alone,
		[]string{"0 aprovados, 0 falhas"},
		[]string{"14 aprovados, 0 falhas"},
	},
	{
		"executados|executadas|selecionados|rodaram|executaram|coletados 0|zero <pt-tests>", "pt", alone,
		[]string{"foram executados 0 testes"},
		[]string{"foram executados 14 testes"},
	},
	{
		"sem <pt-tests> <pt-done>", "pt", alone,
		[]string{"sem testes executados"},
		[]string{"sem testes falhos"},
	},
	{
		"^ 0 <pt-tests> $", "pt", alone,
		[]string{"0 testes"},
		[]string{"10 testes"},
	},
	{
		"não_há|sem|não_foram_encontrados <pt-tests> para_executar|para_rodar|a_executar?", "pt", alone,
		[]string{"não há testes para executar", "não foram encontrados testes"},
		[]string{"não há erros"},
	},

	{
		"0|cero <es-tests>? <es-done>", "es", alone,
		[]string{"0 pruebas ejecutadas", "cero pruebas seleccionadas"},
		[]string{"10 pruebas ejecutadas", "0 errores"},
	},
	{
		"ninguna|ningún <es-tests> <es-done>|se_ejecutó|encontrado|seleccionado|ejecutado", "es", alone,
		[]string{"ninguna prueba ejecutada", "Ninguna prueba se ejecutó", "ningún test encontrado"},
		[]string{"ninguna prueba falló"},
	},
	{
		"no_se ejecutó|encontró|seleccionó|encontraron|ejecutaron ninguna|ningún? <es-tests>", "es", alone,
		[]string{"no se ejecutó ninguna prueba", "no se encontraron pruebas"},
		[]string{"no se encontró ningún error", "no se encontraron fallos en las pruebas"},
	},
	{
		"no hay <es-tests> que_ejecutar|para_ejecutar", "es", alone,
		[]string{"no hay pruebas que ejecutar"},
		[]string{"no hay pruebas fallidas"},
	},
	{
		"ejecutaron|ejecutó|corrieron|seleccionaron|ejecutadas 0|cero <es-tests>", "es", alone,
		[]string{"se ejecutaron 0 pruebas"},
		[]string{"se ejecutaron 14 pruebas"},
	},
	{
		"sin <es-tests> <es-done>", "es", alone,
		[]string{"sin pruebas ejecutadas"},
		[]string{"sin pruebas fallidas"},
	},
	{
		"^ 0 <es-tests> $", "es", alone,
		[]string{"0 pruebas"},
		[]string{"10 pruebas"},
	},
	{
		"0 superadas|pasaron|aprobadas|correctas", "es", alone,
		[]string{"0 superadas, 0 fallidas"},
		[]string{"14 superadas, 0 fallidas"},
	},

	{
		"ไม่มี|ไม่พบ <th-tests> ที่? <th-did>?", "th", alone,
		[]string{"ไม่มีการทดสอบที่ถูกรัน", "ไม่พบการทดสอบ", "ไม่มีการทดสอบถูกรัน"},
		[]string{"ไม่มีการทดสอบล้มเหลว", "ไม่พบข้อผิดพลาด"},
	},
	{
		"<th-did>? 0 <th-tests>", "th", alone,
		[]string{"รัน 0 การทดสอบ", "0 การทดสอบ"},
		[]string{"รัน 14 การทดสอบ", "0 การทดสอบล้มเหลว"},
	},
	{
		"<th-tests> 0 รายการ", "th", alone,
		[]string{"รันการทดสอบ 0 รายการ"},
		[]string{"รันการทดสอบ 14 รายการ"},
	},

	{
		"0|零 个|個|项|項|条|條? <zh-tests> <zh-did>?", "zh", alone,
		[]string{"0 个测试", "运行了 0 个测试", "執行 0 個測試", "0 个用例"},
		[]string{"10 个测试", "0 个测试失败", "14 个测试通过，0 个失败"},
	},
	{
		"没有|沒有|未|无|無 <zh-did>? 到|任何? <zh-tests> 被? <zh-did>?", "zh", alone,
		[]string{"没有测试运行", "没有测试被执行", "未找到测试", "未选中任何测试", "沒有測試"},
		[]string{"没有测试失败", "没有错误", "未找到错误"},
	},
}
