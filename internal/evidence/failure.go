package evidence

// failureTopic holds the ways a text tells that something failed (C77): with a filtered exit code they
// turn advice into a must (PS-13). Counts of zero don't count.
func failureTopic() topic {
	return topic{
		phrases: failurePhrases,
		cues: map[string]string{
			"en": "fail*|error*|brok*|breaks|exit*|rc|return*|non|not|killed|timeout|no|t|cannot|unable|denied|traceback|segfault|segmentation|core|out|unhandled|" +
				"stack|assertionerror|syntaxerror|modulenotfounderror|importerror|fatal|panic|npm|timed|refused|aborted|oom|issue*|problem*|warning*|compile*|compilation",
			"pt": "falh*|erro*|nao|inexistente|negad*",
			"es": "fall*|error*|no|denegado",
		},
		lists: map[string]string{
			"tests":  "test|tests|spec|specs|check|checks|suite|suites|scenario|scenarios|assertion|assertions|example|examples|case|cases|step|steps|job|jobs|build|lint|typecheck|compilation|gate|package|packages|file|files|subtests",
			"failed": "failed|failure|failures|failing|fail|fails|error|errors|broken",
		},
		before: []string{"no", "0", "zero", "without", "never", "not", "none", "nenhum", "nenhuma", "sem", "ningún", "ninguna", "sin", "没有", "沒有", "无", "無", "未", "ไม่มี", "não", "nunca", "nothing", "fixed", "resolved", "expected", "没", "沒", "0 个", "0 個"},
		after:  []string{"0", ": 0", "= 0", "none", ": none", "zero", ": zero", "= none", "as expected", "count : 0", ": no", ": nothing", "fixed", "resolved", "before", "previously", "expected", "= false", ": false"},
		claims: []string{"verified", "verifies", "asserts", "asserted", "ensures", "that", "returns", "expects", "expected", "shows", "handles", "covers", "que", "rejects"},
	}
}

var failurePhrases = []phrase{
	{
		"# <tests>? <failed>", "en", proof,
		[]string{"3 failed", "14 passed, 3 failed", "3 tests failed", "1 failing", "Found 2 errors in 1 file", "2 failures"},
		[]string{"0 failed", "14 passed, 0 failed", "0 errors", "no failures", "30 passed", "0 tests failed", "failed: 0"},
	},
	{
		"failed|failures|failing|errors|fail =|:? #", "en", proof,
		[]string{"failed: 3", "Failures: 1", "errors=2", "# fail 2"},
		[]string{"failed: 0", "failures=0", "errors: none", "Failures: 0, Errors: 0"},
	},
	{
		"=FAILED|=FAIL|=ERRORED|=FAILURE", "en", proof,
		[]string{"FAILED", "--- FAIL: TestQuote (0.00s)", "FAIL: TestQuote", "FAIL\tpkg/rates", "BUILD FAILURE"},
		[]string{"0 FAILED", "FAILED: 0", "fail-fast off: 14 passed"},
	},
	{
		"^ <tests>? failed $", "en", proof,
		[]string{"failed", "build failed", "tests failed: see log"},
		[]string{"no tests failed", "failed: 0", "asserts that a failed login is logged"},
	},
	{
		"<tests> failed|broke|breaks|fails", "en", alone,
		[]string{"the nightly build failed again", "unit tests failed"},
		[]string{"no test failed", "asserts that a test failed earlier is retried"},
	},
	{
		"exit|exited|exits status|code|with|with_code|with_status|value? =|:? #", "en", alone,
		[]string{"exit status 1", "exit code 2", "exited with 137", "exit=1", "EXIT=127", "process exited with code 1"},
		[]string{"exit status 0", "EXIT=0", "exit code: 0", "returned 3 rows"},
	},
	{
		"rc|return_code|returned_code|exitcode|errorlevel =|:? #", "en", alone,
		[]string{"rc=1", "return code 2"},
		[]string{"rc=0", "errorlevel 0"},
	},
	{
		"^ non zero exit|status", "en", alone,
		[]string{"non-zero exit"},
		[]string{"asserts that a non-zero exit is kept"},
	},
	{
		"^ not_ok", "en", alone,
		[]string{"not ok 3 - quotes"},
		[]string{"ok 3 - quotes"},
	},
	{
		"failed $", "en", alone,
		[]string{"rates_test failed"},
		[]string{"nothing failed", "none failed", "what failed: nothing"},
	},
	{
		"^ error|failure|killed|timeout|fatal_error|compile_error|compilation_error|build_error $", "en", alone,
		[]string{"error", "Killed", "error[E0308]: mismatched types", "compile error"},
		[]string{"no error", "error: 0", "error handling: 14 passed"},
	},
	{
		"error #", "en", alone,
		[]string{"make: *** [test] Error 2"},
		[]string{"error 0", "no error 2"},
	},
	{
		"command|executable not_found", "en", proof,
		[]string{"bash: foo: command not found", "Command not found"},
		[]string{"command found"},
	},
	{
		": not_found $", "en", proof,
		[]string{"tsc: not found", "sh: 1: tsc: not found"},
		[]string{"errors not found: 0", "404 not found page: 3 passed"},
	},
	{
		"no such file|command|module|package|directory|target", "en", alone,
		[]string{"No such file or directory", "cat: x.log: No such file or directory"},
		[]string{"no file"},
	},
	{
		"cannot|can't|could_not|couldn't|unable_to find|resolve|open|connect|load|compile|locate|import", "en", alone,
		[]string{"Cannot find module 'x'", "could not compile quotes", "error: could not resolve host"},
		[]string{"asserts that it cannot open a closed file", "can find"},
	},
	{
		"is_not recognized|recognised", "en", proof,
		[]string{"'tsc' is not recognized as an internal or external command"},
		[]string{"recognized"},
	},
	{
		"permission|access denied", "en", alone,
		[]string{"Permission denied", "access denied"},
		[]string{"returns permission denied to guests", "permission granted"},
	},
	{
		"traceback|segfault|segmentation_fault|core_dumped|out_of_memory|unhandled_exception|stack_overflow|assertionerror|syntaxerror|modulenotfounderror|importerror", "en", alone,
		[]string{"Traceback (most recent call last):", "Segmentation fault (core dumped)", "SyntaxError: invalid syntax"},
		[]string{"no traceback", "trace back to the source"},
	},
	{
		"^ error|fatal|panic :", "en", alone,
		[]string{"error: linker missing", "fatal: not a git repository", "panic: nil map"},
		[]string{"error: 0", "errors: 0", "no error: done"},
	},
	{
		"error ts*|cs*|e0*", "en", proof,
		[]string{"src/a.ts(3,1): error TS2304: Cannot find name 'x'"},
		[]string{"0 error"},
	},
	{
		"npm err|error", "en", proof,
		[]string{"npm ERR! missing script: test"},
		[]string{"npm ok"},
	},
	{
		"timed_out|connection_refused|was_killed|aborted|oom_killed", "en", alone,
		[]string{"timed out after 60s", "connection refused"},
		[]string{"never timed out", "14 passed, 0 timed out"},
	},
	{
		"# issues|issue|problems|problem|warnings", "en", hint,
		[]string{"3 problems", "1 issue"},
		[]string{"0 problems", "no issues"},
	},

	{
		"# testes? falharam|falhou|falhas|falha|erros|erro|com_falha", "pt", proof,
		[]string{"3 falharam", "2 testes falharam", "1 erro"},
		[]string{"0 falhas", "14 aprovados, 0 falharam", "nenhuma falha"},
	},
	{
		"falhas|erros|falharam : #", "pt", proof,
		[]string{"falhas: 3"},
		[]string{"falhas: 0"},
	},
	{
		"falhou|falharam", "pt", alone,
		[]string{"o build falhou", "falhou"},
		[]string{"não falhou", "nenhum teste falhou"},
	},
	{
		"comando|arquivo|ficheiro|módulo não_encontrado|inexistente", "pt", alone,
		[]string{"comando não encontrado", "arquivo não encontrado"},
		[]string{"comando encontrado"},
	},
	{
		"permissão|acesso negada|negado", "pt", alone,
		[]string{"permissão negada"},
		[]string{"permissão dada"},
	},

	{
		"# pruebas? fallaron|falló|fallos|fallo|errores|error|fallidas|fallida|fallidos", "es", proof,
		[]string{"3 fallaron", "2 pruebas fallidas", "1 fallo"},
		[]string{"0 fallos", "ningún fallo", "sin errores"},
	},
	{
		"fallos|errores|fallidas : #", "es", proof,
		[]string{"fallos: 3"},
		[]string{"fallos: 0"},
	},
	{
		"falló|fallaron", "es", alone,
		[]string{"la compilación falló", "falló"},
		[]string{"no falló", "ninguna prueba falló"},
	},
	{
		"orden|comando|archivo|módulo no_encontrada|no_encontrado|no_existe", "es", alone,
		[]string{"orden no encontrada", "comando no encontrado"},
		[]string{"comando encontrado"},
	},
	{
		"permiso|acceso denegado", "es", alone,
		[]string{"permiso denegado"},
		[]string{"permiso dado"},
	},

	{
		"ล้มเหลว|ไม่ผ่าน", "th", alone,
		[]string{"การทดสอบล้มเหลว", "ไม่ผ่าน", "ล้มเหลว 3 รายการ"},
		[]string{"ไม่มีล้มเหลว", "ล้มเหลว 0", "ผ่าน 14, ล้มเหลว 0"},
	},
	{
		"ล้มเหลว :|=? #", "th", proof,
		[]string{"ล้มเหลว 3"},
		[]string{"ล้มเหลว 0"},
	},
	{
		"ไม่พบ คำสั่ง|ไฟล์|โมดูล", "th", alone,
		[]string{"ไม่พบคำสั่ง", "ไม่พบไฟล์"},
		[]string{"พบคำสั่ง"},
	},

	{
		"# 个|個|项|項? 测试|測試|用例? 失败|失敗|错误|錯誤", "zh", proof,
		[]string{"3 个失败", "2 个测试失败", "1 個錯誤"},
		[]string{"0 个失败", "14 个通过，0 个失败"},
	},
	{
		"失败|失敗|错误|錯誤 :|=? #", "zh", proof,
		[]string{"失败：3"},
		[]string{"失败：0"},
	},
	{
		"失败|失敗", "zh", alone,
		[]string{"构建失败", "測試失敗"},
		[]string{"没有失败", "失败 0", "无失败"},
	},
	{
		"找不到|未找到|没有找到|沒有找到|没有那个|沒有此一 命令|文件|檔案|模块|模組|指令", "zh", alone,
		[]string{"找不到命令", "未找到命令", "没有那个文件或目录"},
		[]string{"找到命令"},
	},
	{
		"权限不够|权限被拒绝|權限不足|拒绝访问|拒絕存取", "zh", alone,
		[]string{"权限不够", "權限不足"},
		[]string{"权限"},
	},
}
