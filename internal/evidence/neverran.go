package evidence

// neverTopic holds the admissions that a check never ran (AM-3). The listed ones are proof where the
// clause is about nothing else: it begins with the admission or with the check. Inside a sentence they may speak
// of the product ("hook is not executed twice"), so there they weigh only when nothing is said to have run.
func neverTopic() topic {
	return topic{
		phrases: neverPhrases,
		cues: map[string]string{
			"en": "not|t|never|cannot|to|skipped|assumed|presum*|supposedly|should|would|will|likely|probably|without|no|" +
				"pending|tbd|todo|n|later|simulated|fabricated|invented|made|mock|imagined|impossible|be|hand|manually",
			"pt": "nao|nunca|jamais|impossivel|pulad*|ignorad*|omitidos|sem|deve|deveria",
			"es": "no|nunca|jamas|imposible|sin|omitid*|saltad*|deberia|debe",
		},
		lists: map[string]string{
			"det":   "every|each|both|the|this|these|all|full|whole|entire|our|my|any",
			"check": "test|tests|suite|suites|check|checks|gate|gates|command|commands|spec|specs|validation|verification|it|they|scenario|scenarios",
			// One of several checks: "14 passed; e2e not run" speaks of another gate.
			"part":   "benchmark|benchmarks|linter|lint|typecheck|build|e2e",
			"where":  "on|for|under|against|with|in",
			"here":   "this|the|my|our|that|any|all|lack|want|now|time",
			"not":    "not|never|was_not|were_not|wasn't|weren't|was_never|were_never|not_yet|never_been|not_been|has_not_been|have_not_been|hasn't_been|haven't_been|has_never_been|have_never_been|not_yet_been|could_not_be|couldn't_be|cannot_be|can't_be|can_not_be|could_never_be|did_not|didn't|did_never|could_not|couldn't|has_not|have_not|hasn't|haven't|was_not_yet|were_not_yet|unable_to|unable_to_be|wasn't_able_to|was_not_able_to|failed_to|not_actually|never_actually|was_not_actually|were_not_actually",
			"cannot": "cannot|can't|can_not|is_unable_to",
			"is":     "is|are|isn't|aren't|gets|being",
			"ran":    "run|ran|rerun|executed|execute|entered|measured|measure|launched|invoked|performed|carried_out|attempted|started|start|exercised|triggered",

			"pt-artigo": "o|a|os|as|este|esta|toda|todos|todas",
			"es-art":    "el|la|los|las|este|esta|toda|todos|todas",
			"pt-check":  "teste|testes|suíte|suite|verificação|checagem|comando|validação|cenário|cenários",
			"pt-not":    "jamais|não_se|nunca_se|não_foi|não_foram|nunca_foi|nunca_foram|não|nunca|jamais_foi|não_pôde_ser|não_puderam_ser|não_pode_ser|não_podem_ser|ainda_não_foi|ainda_não_foram|não_chegou_a_ser",
			"pt-ran":    "executado|executada|executados|executadas|rodado|rodada|rodados|rodadas|rodou|rodaram|executou|executaram|realizado|realizada|realizados|realizadas|medido|medida|medidos|medidas|iniciado|iniciada",
			"es-check":  "prueba|pruebas|suite|comprobación|verificación|comando|validación|escenario|escenarios|test|tests",
			"es-ran":    "ejecutado|ejecutada|ejecutados|ejecutadas|realizado|realizada|realizados|realizadas|medido|medida|medidos|medidas|iniciado|iniciada",
			"es-not":    "no|nunca|no_fue|no_fueron|nunca_fue|nunca_fueron|no_ha_sido|no_han_sido|no_pudo_ser|no_pudieron_ser|no_puede_ser|aún_no_ha_sido|no_se_ha|nunca_se_ha",
			"es-did":    "ejecutó|ejecutaron|corrió|corrieron|realizó|realizaron|lanzó|inició|midió",
			"es-se":     "no_se|nunca_se|jamás_se|aún_no_se|todavía_no_se",

			"th-not":   "ไม่ได้|ยังไม่ได้|ไม่เคย|ยังไม่เคย|ไม่ได้ถูก|ไม่ถูก|ไม่เคยถูก|ยังไม่ถูก|ไม่สามารถ|ไม่ได้ทำการ|ยังไม่",
			"th-ran":   "รัน|ดำเนินการ|เรียกใช้|ประมวลผล|วัด|วัดผล|เริ่มรัน|ทำการทดสอบ|รันการทดสอบ|รันเทสต์|เข้าสู่",
			"th-check": "การทดสอบ|ชุดทดสอบ|เทสต์|คำสั่ง|การตรวจสอบ",
			"zh-not":   "未|从未|從未|尚未|并未|並未|没有|沒有|没|沒|从来没有|從來沒有|无法|無法|不能|未能|没能|沒能|未被|没有被|沒有被|还没|還沒|未曾",
			"zh-ran":   "执行|執行|运行|運行|测量|測量|启动|啟動|进入|進入|跑|跑过|进行|進行",
			"zh-check": "测试|測試|套件|检查|檢查|命令|验证|驗證|用例",
		},
		before: []string{
			"no", "0", "zero", "none", "nothing", "without", "is", "are", "isn't",
			"nenhum", "nenhuma", "sem", "ningún", "ninguna", "sin", "没有", "沒有", "无", "無", "ไม่มี",
		},
		after: []string{
			"twice", "again", "when", "whenever", "if", "unless", "until", "concurrently", "in parallel", "more", "as", "into", "out", "over", "away", "once", "slower", "faster", "longer", "above", "below", "than",
			": 0", "= 0", "0", "#", ": #", "= #", "duas vezes", "dos veces", "quando", "cuando", "se", "si", "novamente", "de nuevo", "outra vez", "mais", "más",
			"สองครั้ง", "ซ้ำ", "ระบบ", "เมื่อ", "ถ้า", "两次", "兩次", "错误", "錯誤", "时", "時", "的", "多次", "失败", "失敗", "问题", "問題",
		},
		claims: []string{
			"verified", "verify", "verifies", "asserts", "asserted", "ensures", "ensure", "confirms", "proves", "proved", "that", "shows", "show", "prove", "expects",
			"verificado", "verifica", "garante", "garantiza", "que", "confirma", "comprueba",
		},
	}
}

var neverPhrases = []phrase{
	{
		"^ <det>? <check> ~ <not>|<cannot> <ran>", "en", proof,
		[]string{
			"suite was never run on this host", "14 passed on CI; the suite was never run on this host", "tests were not executed", "the gate could not be executed", "check didn't run",
			"test suite has not been run yet", "Command was not run: docker is missing", "result: tests weren\u2019t run",
		},
		[]string{"tests prove that it is not run", "test: hook is not executed twice", "tests not run: 0", "the build did not run into errors", "suite passed, nothing was not run", "tests are not executed twice"},
	},
	{
		"<check>|<part> ~ <not>|<cannot> <ran>", "en", alone,
		[]string{"e2e suite was not run on this machine", "slow tests never executed", "benchmark was not run", "lint cannot be run"},
		[]string{"14 passed; e2e runs in task 4", "no test was not executed", "verified that the check is not run when disabled"},
	},
	{
		"^ <not>|<cannot> <ran> !<where>", "en", proof,
		[]string{
			"not executed", "never entered", "could not be executed", "didn't run", "did not run", "cannot be measured here; assumed fine", "can't be measured",
			"NOT EXECUTED", "not yet run", "14 passed last week; not executed today", "status=not executed", "unable to run", "never ran", "Not run (no docker here)", "couldn't be run",
		},
		[]string{"not executed twice", "not run: 0, passed: 14", "executed=0.8s", "never flaky", "not executed when disabled: 3 passed", "did not run out of memory", "never ran slower than 20ms: 30 runs", "p95 not measured above 20ms"},
	},
	{
		"^ <not>|<cannot> <ran> <where> <here>", "en", proof,
		[]string{"not run on this host", "14 passed on CI; not run on this host", "cannot be measured in this environment"},
		[]string{"14 passed; ran on this host"},
	},
	{
		// A part is named: beside passed tests it is advice.
		"^ <not>|<cannot> <ran> <where> !<here>", "en", alone,
		[]string{"not run on windows", "not executed for guests"},
		[]string{"ran on windows; 14 passed"},
	},
	{
		"<not> <ran>", "en", alone,
		[]string{"scenario was never entered", "the branch under test was never entered", "docker missing so not executed", "latency cannot be measured on this host", "error path not executed"},
		[]string{
			"hook is not executed twice", "verified the job is not run when disabled: 3 passed", "no failures; never flaky", "bug never reproduced after fix; 20 runs",
			"14 passed, 1 skipped (windows only)", "0 errors", "server never ran out of memory", "the process did not start again",
			"the label \"Not run\" is shown for idle jobs", "message \u201ccould not be executed\u201d translated",
		},
	},
	{
		"<is> not|never <ran>", "en", hint,
		[]string{"hook is not executed", "the importer is never started here"},
		[]string{"hook is not executed twice", "asserts that the job is not run"},
	},
	{
		"^ <det>? <check>? run? was|were|is|are? skipped", "en", alone,
		[]string{"skipped", "all tests skipped", "suite skipped: no browser", "skipped because docker is missing", "every test was skipped", "test run skipped", "tests were skipped"},
		[]string{"14 passed, 1 skipped (windows only)", "skipped: 0, passed: 14", "skipped 2", "no tests were skipped"},
	},
	{
		"assumed|presumed|presumably|supposedly fine|ok|okay|good|passing|green|to_pass|passes|passed|to_be_fine", "en", hint,
		[]string{"assumed fine", "assumed to pass", "presumably passes"},
		[]string{"the fine is assumed by the payer", "passed"},
	},
	{
		"should|would|will|ought_to|expected_to|likely|probably pass|passes|be_fine|be_green|work|fine", "en", hint,
		[]string{"should pass", "tests would pass", "probably fine"},
		[]string{"passed", "asserts that a valid card should pass"},
	},
	{
		"without running|executing the|any|a? <check>", "en", alone,
		[]string{"marked as passed without running the tests"},
		[]string{"deployed without running into errors"},
	},
	{
		"without running|executing $", "en", alone,
		[]string{"marked as passed without running"},
		[]string{"stopped without running out of memory"},
	},
	{
		"without being run|executed", "en", alone,
		[]string{"passed without being run"},
		[]string{"passed without errors"},
	},
	{
		"run|execution was|is? not|never possible", "en", alone,
		[]string{"execution was not possible"},
		[]string{"execution was possible"},
	},
	{
		"^ no run|execution was|is? made|possible|done", "en", alone,
		[]string{"no run was made", "no execution possible"},
		[]string{"no run failed"},
	},
	{
		"cannot|can't|can_not|could_not|couldn't be verified|tested|checked|validated here|locally|on_this|in_this", "en", alone,
		[]string{"cannot be verified here", "could not be tested on this host"},
		[]string{"asserts that a claim cannot be verified here", "cannot be verified by guests"},
	},
	{
		"^ pending|tbd|todo|n/a|not_applicable|to_be_run|not_yet|later $", "en", hint,
		[]string{"pending", "TBD", "to be run", "N/A"},
		[]string{"pending jobs: 0", "14 passed"},
	},
	{
		"simulated|fabricated|invented|made_up|mock|imagined result|results|run|only|output|evidence", "en", hint,
		[]string{"simulated only", "fabricated output"},
		[]string{"mock server started"},
	},
	{
		"not|never tested|verified|checked|tried", "en", hint,
		[]string{"not tested on a Mac", "14 passed; never verified"},
		[]string{"tested, verified", "no token is not checked: 3 passed"},
	},
	{
		"^^ <det>? <check>? was|were|has_been|have_been? not|never|not_yet|yet_to_be tested|verified|checked|validated yet? $", "en", alone,
		[]string{"not tested", "not verified", "it was not tested: no device", "not checked yet", "not tested, no device"},
		[]string{"tested by guests: 3 passed", "checked, verified"},
	},
	{
		"^^ <det>? manual? <check> was|were? not|never|not_yet done|made|conducted", "en", alone,
		[]string{"manual test not done", "the check was never done"},
		[]string{"manual test done"},
	},
	{
		"^ doesn't|does_not|don't|do_not run|execute here|locally|on_this|in_this", "en", alone,
		[]string{"doesn't run here", "does not run on this host"},
		[]string{"does not run twice"},
	},
	{
		"impossible|not_possible to_run|to_execute|to_measure|to_test", "en", alone,
		[]string{"impossible to run here", "not possible to measure on this host"},
		[]string{"asserts that it is impossible to run as a guest", "impossible to run twice"},
	},
	{
		"not measurable|runnable|testable here|locally|on_this|in_this", "en", alone,
		[]string{"not measurable here"},
		[]string{"not measurable above the noise: 30 runs"},
	},
	{
		"to_be|will_be|must_be|needs_to_be run|executed|rerun later|tomorrow|manually|soon", "en", hint,
		[]string{"to be run later", "will be executed manually"},
		[]string{"asserts that a job to be run later is queued"},
	},
	{
		"written|entered|typed|filled by_hand|manually", "en", hint,
		[]string{"passed (entered by hand)", "result written by hand"},
		[]string{"passed by Ana"},
	},

	{
		"^ <pt-artigo>? <pt-check> ~ <pt-not> <pt-ran>", "pt", proof,
		[]string{"a suíte nunca foi executada", "os testes não foram executados neste host", "Testes nao executados"},
		[]string{"testes executados", "os testes não foram executados duas vezes"},
	},
	{
		"^ <pt-not> <pt-ran>", "pt", proof,
		[]string{"não foi executado", "não executado", "Não rodou", "nunca foi executada", "jamais executado", "não se executou", "nao foi executado", "não pôde ser executado aqui"},
		[]string{"não foi executado duas vezes", "executado", "não falhou"},
	},
	{
		"<pt-not> <pt-ran>", "pt", alone,
		[]string{"o cenário de erro não foi executado", "sem docker o job não rodou"},
		[]string{"verificado que o job não foi executado quando desativado: 3 aprovados", "nenhum teste não foi executado", "o gancho não é executado duas vezes"},
	},
	{
		"não_foi_possível|não_é_possível|não_consegui|não_conseguimos|impossível|não_se_pode|não_se_pôde executar|rodar|medir|testar", "pt", alone,
		[]string{"não foi possível executar", "não foi possível medir neste host"},
		[]string{"não foi possível reproduzir a falha; 20 execuções"},
	},
	{
		"não|nunca executei|executamos|rodei|rodamos|entrou", "pt", alone,
		[]string{"não executei os testes", "nunca entrou"},
		[]string{"executei os testes", "não entrou duas vezes"},
	},
	{
		"^ <pt-artigo>? <pt-check> foi|foram? pulados|pulado|pulada|ignorados|omitidos|ignorado", "pt", alone,
		[]string{"testes pulados: falta docker", "a suíte foi pulada"},
		[]string{"14 testes passaram, 1 ignorado", "nenhum teste foi pulado", "testes pulados: 0"},
	},
	{
		"^ sem execução $", "pt", alone,
		[]string{"sem execução"},
		[]string{"sem execução dupla"},
	},
	{
		"^^ ainda? não|nunca foi|foram? testado|testada|testados|verificado|verificada $", "pt", alone,
		[]string{"não testado", "ainda não foi testado"},
		[]string{"testado", "verificado, não quebrou"},
	},
	{
		"deve|deveria passar|funcionar", "pt", hint,
		[]string{"deve passar"},
		[]string{"passou"},
	},

	{
		"^ <es-art>? <es-check> ~ <es-se> <es-did>", "es", proof,
		[]string{"la suite nunca se ejecutó", "las pruebas no se ejecutaron en este equipo"},
		[]string{"las pruebas se ejecutaron", "la prueba no se ejecutó dos veces"},
	},
	{
		"^ <es-art>? <es-check> ~ <es-not> <es-ran>", "es", proof,
		[]string{"la suite nunca fue ejecutada", "pruebas no ejecutadas"},
		[]string{"pruebas ejecutadas: 14"},
	},
	{
		"^ <es-se> <es-did>", "es", proof,
		[]string{"no se ejecutó", "nunca se ejecutó", "No se ejecuto en este equipo"},
		[]string{"no se ejecutó dos veces", "se ejecutó"},
	},
	{
		"^ <es-not> <es-ran>", "es", proof,
		[]string{"no ejecutado", "no fue ejecutada", "nunca fue ejecutado", "no se ha ejecutado"},
		[]string{"ejecutado", "no ejecutado dos veces"},
	},
	{
		"<es-se> <es-did>", "es", alone,
		[]string{"el escenario no se ejecutó", "sin docker el trabajo no se ejecutó"},
		[]string{"comprueba que el trabajo no se ejecutó cuando está desactivado: 3 pasaron", "el gancho no se ejecuta dos veces", "no se encontró ningún fallo"},
	},
	{
		"<es-not> <es-ran>", "es", alone,
		[]string{"el escenario de error no fue ejecutado"},
		[]string{"ninguna prueba no ejecutada"},
	},
	{
		"no_se_ha_podido|no_se_pudo|no_se_puede|no_pudo|no_pude|no_pudimos|no_he_podido|no_fue_posible|no_es_posible|imposible|no_se_pudieron ejecutar|correr|medir|probar", "es", alone,
		[]string{"no se pudo ejecutar", "no fue posible medir aquí", "no se ha podido ejecutar"},
		[]string{"no se pudo reproducir el fallo; 20 ejecuciones"},
	},
	{
		"no_pudo|no_puede|no_pudieron|no_pueden ejecutarse|medirse|correrse|realizarse", "es", alone,
		[]string{"no pudo ejecutarse", "no puede medirse aquí"},
		[]string{"pudo ejecutarse"},
	},
	{
		"no_se|nunca_se ha|han|había|habían ejecutado|realizado|corrido|medido", "es", alone,
		[]string{"no se han ejecutado las pruebas"},
		[]string{"se han ejecutado las pruebas"},
	},
	{
		"sin ejecutar", "es", alone,
		[]string{"pruebas sin ejecutar"},
		[]string{"sin errores al ejecutar"},
	},
	{
		"no|nunca ejecuté|ejecutamos|corrí|entró|se_entró", "es", alone,
		[]string{"no ejecuté las pruebas", "nunca entró"},
		[]string{"ejecuté las pruebas", "no entró dos veces"},
	},
	{
		"^ <es-art>? <es-check> fueron|fue? omitidas|omitida|omitidos|saltadas|saltada", "es", alone,
		[]string{"pruebas omitidas: falta docker", "la suite fue omitida"},
		[]string{"14 pasaron, 1 omitida", "ninguna prueba omitida", "pruebas omitidas: 0"},
	},
	{
		"^ sin ejecución $", "es", alone,
		[]string{"sin ejecución"},
		[]string{"sin ejecución doble"},
	},
	{
		"^^ aún|todavía? no|nunca se|fue? probado|probada|verificado|verificada|probó|verificó|comprobó $", "es", alone,
		[]string{"no probado", "aún no se probó"},
		[]string{"probado", "no probado por invitados: 3 pasaron"},
	},
	{
		"debería|debe pasar|funcionar", "es", hint,
		[]string{"debería pasar"},
		[]string{"pasó"},
	},

	{
		"^ <th-check>? <th-not> <th-ran>", "th", proof,
		[]string{"ไม่ได้รัน", "ไม่ได้ดำเนินการ", "ยังไม่ได้รัน", "ไม่เคยรัน", "ไม่สามารถรันได้", "การทดสอบไม่ได้รัน", "ไม่สามารถวัดผลได้"},
		[]string{"รันแล้ว 14 ผ่าน", "ไม่ได้รันซ้ำ", "ไม่มีข้อผิดพลาด"},
	},
	{
		"<th-not> <th-ran>", "th", alone,
		[]string{"เครื่องนี้ไม่มี docker จึงไม่ได้รัน"},
		[]string{"ฮุกไม่ได้รันสองครั้ง"},
	},
	{
		"ไม่ได้|ยังไม่ได้|ไม่เคย ทดสอบ|ตรวจสอบ", "th", hint,
		[]string{"ผ่าน 14 ยังไม่ได้ทดสอบบนเครื่องนี้"},
		[]string{"ทดสอบแล้ว"},
	},
	{
		"^^ ไม่ได้|ยังไม่ได้|ไม่เคย|ยังไม่เคย ทดสอบ|ตรวจสอบ", "th", alone,
		[]string{"ไม่ได้ทดสอบ", "ยังไม่ได้ทดสอบบนเครื่องนี้"},
		[]string{"ทดสอบแล้ว", "ไม่ได้ทดสอบซ้ำ"},
	},
	{
		"^ ข้าม|ข้ามการทดสอบ !#", "th", alone,
		[]string{"ข้าม: ไม่มี docker", "ข้ามการทดสอบ"},
		[]string{"ผ่าน 14 ข้าม 1", "ข้าม 0 รายการ"},
	},
	{
		"ไม่มีการ รัน $", "th", alone,
		[]string{"ไม่มีการรัน"},
		[]string{"ไม่มีการรันซ้ำ"},
	},
	{
		"น่าจะ|คาดว่าจะ ผ่าน|ใช้ได้", "th", hint,
		[]string{"น่าจะผ่าน"},
		[]string{"ผ่าน 14"},
	},

	{
		"^ <zh-check>? <zh-not> 真正|实际|實際|经|經|能? <zh-ran>", "zh", proof,
		[]string{"未执行", "没有运行", "無法測量", "无法测量", "测试未执行", "測試沒有運行", "从未运行", "未能执行", "尚未执行", "没有真正运行", "未经执行", "未執行（沒有 docker）", "未被执行"},
		[]string{"没有运行错误", "未执行两次", "执行完成", "没有失败", "未发现问题"},
	},
	{
		"<zh-not> <zh-ran>", "zh", alone,
		[]string{"本机缺少 docker，所以未执行", "端到端套件在这台机器上没有运行"},
		[]string{"钩子未执行两次", "没有运行时错误"},
	},
	{
		"未|没有|沒有|尚未 测试|測試|验证|驗證", "zh", hint,
		[]string{"14 个通过，移动端未测试", "通过 14，尚未驗證"},
		[]string{"已测试"},
	},
	{
		"^^ 未|没有|沒有|尚未|还没|還沒 测试|測試|验证|驗證 $", "zh", alone,
		[]string{"未测试", "尚未驗證"},
		[]string{"已测试", "没有测试失败"},
	},
	{
		"^ <zh-check>? 已|被|已被? 跳过|跳過 !#|0|了", "zh", alone,
		[]string{"跳过：缺少 docker", "测试被跳过"},
		[]string{"14 通过，跳过 1", "跳过 0 项"},
	},
	{
		"^ 无法|無法|不能|未能|没能|沒能 在 本机|本機|本地|此环境|此環境|这里|這裡|这台机器 <zh-ran>", "zh", alone,
		[]string{"无法在本机运行"},
		[]string{"可以在本机运行"},
	},
	{
		"应该|應該|估计|估計 会?|會? 通过|通過", "zh", hint,
		[]string{"应该会通过", "應該通過"},
		[]string{"14 个通过"},
	},
}
