package evidence

// ranTopic holds the ways a text tells that tests did run. It answers nothing by itself: it weighs the others.
func ranTopic() topic {
	return topic{
		phrases: []phrase{
			{
				"# <sort>? <tests>? passed|passing|pass|ok|succeeded|successful|green|total_passed", "en", proof,
				[]string{"14 passed", "14 unit tests passed", "14 tests passed, 0 failed", "2,936 passing", "test result: ok. 14 passed; 0 failed"},
				[]string{"0 passed", "0 of 14 passed", "passed"},
			},
			{
				"passed|pass|ok|ran|executed|passing|failed|failing|failures|assertions =|: #", "en", proof,
				[]string{"passed: 14", "Failed: 3", "ran=10/10", "executed=14", "ok=3"},
				[]string{"ran=0/0", "executed=0.8s", "passed: 0", "failed: 0"},
			},
			{
				"all|every the? <sort>? hooks|hook|<tests> passed|pass|green|succeeded", "en", proof,
				[]string{"All tests passed", "pre-commit: all hooks Passed"},
				[]string{"all tests skipped"},
			},
			{
				"# <tests>? selected", "en", proof,
				[]string{"collected 14 items / 4 deselected / 10 selected"},
				[]string{"14 deselected / 0 selected"},
			},
			{
				"ran|executed # <tests>", "en", proof,
				[]string{"Ran 14 tests in 0.2s", "executed 3 tests"},
				[]string{"Ran 0 tests", "ran 5 minutes"},
			},
			{
				"# <tests>? ran|executed|runs", "en", proof,
				[]string{"14 tests executed", "20 runs"},
				[]string{"0 tests executed", "14 tests"},
			},
			{
				"# <tests>? failed|failures|failing", "en", proof,
				[]string{"3 failed", "0 passed, 3 tests failed"},
				[]string{"0 failed"},
			},
			{
				"# testes? aprovados|aprovadas|passaram|executados|ok|com_sucesso|bem_sucedidos", "pt", proof,
				[]string{"14 testes aprovados", "3 passaram"},
				[]string{"0 testes executados"},
			},
			{
				"# pruebas|tests? pasaron|superadas|aprobadas|correctas|exitosas|ejecutadas|pasadas", "es", proof,
				[]string{"14 pruebas superadas", "3 pasaron"},
				[]string{"0 pruebas ejecutadas"},
			},
			{
				"ผ่าน :|=? #", "th", proof,
				[]string{"ผ่าน 14"},
				[]string{"ผ่าน 0"},
			},
			{
				"# รายการ|เทสต์|การทดสอบ? ผ่าน", "th", proof,
				[]string{"14 การทดสอบผ่าน"},
				[]string{"0 ผ่าน"},
			},
			{
				"通过|通過 了? :|=? #", "zh", proof,
				[]string{"通过 14", "通過：14"},
				[]string{"通过 0"},
			},
			{
				"# 个|個|项|項? 测试|測試|用例? 全部? 通过|通過|成功", "zh", proof,
				[]string{"14 个测试通过", "14個通過"},
				[]string{"0 个通过"},
			},
		},
		lists:  map[string]string{"sort": "unit|integration|e2e|smoke|new|existing|other|regression|component|contract|snapshot|go|api", "tests": "test|tests|specs|spec|checks|check|assertions|examples|scenarios|items|cases|test_cases|subtests"},
		before: []string{"0 of", "0 /"},
	}
}
