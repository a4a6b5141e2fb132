package evidence

// denialTopic holds the ways a review says that its parts were not done (PD-7; TRAPS "No security, no final-state and no
// skills work was done"). "No security findings" is a result, not a denial.
func denialTopic() topic {
	return topic{
		phrases: denialPhrases,
		cues: map[string]string{
			"en": "no|none|neither|not|t|never|nothing|skip*|omitted|left|waived|missing|without",
			"pt": "nao|nunca|nenhum*|sem|pul*|omiti*",
			"es": "no|nunca|ningun*|sin|omiti*|omitimos|saltamos",
		},
		lists: map[string]string{
			"part": "security|final_state|skills|skill|documentation|docs|validation",
			"work": "work|review|reviews|pass|passes|validation|reconciliation|check|checks|scan|audit|analysis|part|parts",
			"done": "done|performed|made|run|ran|executed|carried_out|completed|attempted|started|took_place|happened|conducted",
			"was":  "was|were|has_been|have_been|is|are|got",
			"not":  "not|was_not|were_not|wasn't|weren't|has_not_been|have_not_been|never|was_never|not_yet|did_not|didn't|could_not_be|is_not|hasn't_been|haven't_been",

			"pt-part": "segurança|estado_final|validação|habilidades|skills|documentação|revisão|reconciliação",
			"pt-done": "feita|feito|feitas|realizada|realizado|realizadas|executada|executado|concluída|concluído",
			"pt-work": "trabalho|revisão|validação|verificação|auditoria|parte|reconciliação",
			"es-work": "trabajo|revisión|validación|verificación|auditoría|parte|conciliación",
			"es-part": "seguridad|estado_final|validación|habilidades|skills|documentación|revisión|conciliación|reconciliación",
			"es-done": "hecha|hecho|realizada|realizado|ejecutada|ejecutado|realizó|hizo|ejecutó|completada",
			"th-part": "ความปลอดภัย|สถานะสุดท้าย|ทักษะ|สกิล|เอกสาร",
			"zh-part": "安全|最终状态|最終狀態|技能|文档|文件",
			"zh-done": "进行|進行|执行|執行|完成|做",
			"zh-work": "审查|審查|检查|檢查|验证|驗證|核对|核對|评审|評審|工作|审核|審核",
		},
		before: []string{"nothing", "none"},
		after:  []string{"twice", "again", "on generated", "findings", "finding", "issues", "problems"},
		claims: []string{"verified", "that"},
	}
}

var denialPhrases = []phrase{
	{
		"no <part> <work> <was>? <done>", "en", proof,
		[]string{"No security, no final-state and no skills work was done", "no security review was performed", "No final-state validation was run", "no skills reconciliation done"},
		[]string{"No security findings", "security pass: no findings", "No skill work was needed", "no security work was left open", "No critical finding remains"},
	},
	{
		"no|none_of_the work|review|reviews|parts <was> <done>", "en", proof,
		[]string{"No review was done", "None of the parts was done"},
		[]string{"No work was lost", "no review finding was left"},
	},
	{
		"neither ~ nor ~ <was> <done>", "en", proof,
		[]string{"Neither the security pass nor the validation was done", "neither security nor skills work was done"},
		[]string{"neither finding nor warning was reported"},
	},
	{
		"<part> <work> ~ <not> <done>", "en", proof,
		[]string{"security pass was not performed", "The security review has not been done", "Final-state validation: not run", "skills reconciliation never done"},
		[]string{"security pass performed", "validation was not run twice"},
	},
	{
		"<part> <work>? :? <not> <done>|reviewed|validated|reconciled|audited|scanned", "en", proof,
		[]string{"Security: not done", "final state not validated", "skills not reconciled", "security not reviewed"},
		[]string{"security: input not validated in the handler", "security reviewed"},
	},
	{
		"^ no security|final_state pass|review|validation|scan|audit $", "en", proof,
		[]string{"no security pass", "No final-state validation."},
		[]string{"no security finding", "no skills work"},
	},
	{
		"^ nothing|none|not was|were? done $", "en", proof,
		[]string{"Nothing was done", "not done", "None done"},
		[]string{"nothing was left", "nothing to do"},
	},
	{
		"skipped|omitted|skipping|left_out|waived the|all? <part>", "en", proof,
		[]string{"skipped the security review", "Skipped security", "omitted the final-state validation"},
		[]string{"1 skipped (windows only)", "skipped findings: none"},
	},
	{
		"<part> <work>? :? was|were|is? skipped|omitted|left_out|not_done|waived|missing", "en", proof,
		[]string{"security pass skipped", "Skills reconciliation: skipped", "Security review was omitted", "the skills part was left out"},
		[]string{"security pass: 1 test skipped", "security pass done"},
	},
	{
		"did_not|didn't|could_not|couldn't|never do|did|perform|performed|run|ran|review|reviewed ~ <part>", "en", proof,
		[]string{"did not do the security pass", "We didn't run a security review", "never performed the security pass"},
		[]string{"did not find a security issue"},
	},
	{
		"without a|any|the? <part> <work>", "en", proof,
		[]string{"closed without a security review"},
		[]string{"without security findings"},
	},

	{
		"<pt-part> ~ não_foi|não_foram|nunca_foi|não <pt-done>", "pt", proof,
		[]string{"a revisão de segurança não foi feita", "Segurança não realizada"},
		[]string{"revisão de segurança feita", "segurança: nenhuma falha encontrada"},
	},
	{
		"nenhum|nenhuma <pt-work> ~ foi|foram? <pt-done>", "pt", proof,
		[]string{"nenhum trabalho de segurança foi feito", "nenhuma revisão foi feita"},
		[]string{"nenhuma falha foi encontrada", "nenhuma alteração foi feita"},
	},
	{
		"não_foi|não_foram <pt-done> a|o|nenhuma|nenhum? <pt-work>", "pt", proof,
		[]string{"não foi feita a revisão de segurança"},
		[]string{"não foi feita nenhuma alteração"},
	},
	{
		"não fizemos|fiz|realizamos|executamos a|o? <pt-work>", "pt", proof,
		[]string{"não fizemos a revisão de segurança"},
		[]string{"não fizemos mudanças"},
	},
	{
		"sem|pulei|omiti|omitimos|pulamos a? revisão|validação de? segurança|final|skills", "pt", proof,
		[]string{"sem revisão de segurança", "pulamos a revisão de segurança"},
		[]string{"sem falhas de segurança"},
	},

	{
		"<es-part> ~ no_fue|no_fueron|nunca_fue|no|no_se|no_ha_sido <es-done>", "es", proof,
		[]string{"la revisión de seguridad no fue realizada", "Seguridad no realizada", "la revisión de seguridad no se hizo"},
		[]string{"revisión de seguridad realizada", "seguridad: ningún fallo encontrado"},
	},
	{
		"ninguna|ningún <es-work> ~ fue|fueron|se? <es-done>", "es", proof,
		[]string{"ningún trabajo de seguridad fue hecho", "ninguna revisión se hizo"},
		[]string{"ningún cambio fue hecho"},
	},
	{
		"no_se|no_fue <es-done> la|el|ninguna|ningún? <es-work>", "es", proof,
		[]string{"no se hizo la revisión de seguridad", "no se realizó ninguna revisión"},
		[]string{"no se encontró ningún fallo", "no se hizo ningún cambio"},
	},
	{
		"no hicimos|hice|realizamos|ejecutamos la|el? <es-work>", "es", proof,
		[]string{"no hicimos la revisión de seguridad"},
		[]string{"no hicimos cambios"},
	},
	{
		"<es-part> :? no_se revisó|validó|hizo|realizó", "es", proof,
		[]string{"seguridad: no se revisó"},
		[]string{"seguridad: se revisó"},
	},
	{
		"sin|omitimos|saltamos|se_omitió la? revisión|validación de? seguridad|final|skills", "es", proof,
		[]string{"sin revisión de seguridad", "se omitió la revisión de seguridad"},
		[]string{"sin fallos de seguridad"},
	},

	{
		"ไม่ได้|ยังไม่ได้|ไม่มีการ ทำ|ดำเนินการ|ตรวจสอบ|ตรวจ|ทำการ ตรวจสอบ|การตรวจสอบ|ทบทวน|การทบทวน|เรื่อง|ด้าน? <th-part>", "th", proof,
		[]string{"ไม่ได้ตรวจสอบความปลอดภัย", "ไม่ได้ทำการตรวจสอบความปลอดภัย", "ไม่มีการตรวจสอบด้านความปลอดภัย"},
		[]string{"ตรวจสอบความปลอดภัยแล้ว ไม่พบปัญหา"},
	},
	{
		"<th-part> ไม่ได้|ยังไม่ได้|ไม่ถูก ทำ|ดำเนินการ|ตรวจสอบ|ตรวจ", "th", proof,
		[]string{"การตรวจสอบความปลอดภัยไม่ได้ทำ", "การตรวจสอบความปลอดภัยยังไม่ได้ดำเนินการ"},
		[]string{"ความปลอดภัยตรวจสอบแล้ว"},
	},

	{
		"未|没有|沒有|尚未|并未|並未|没|沒 <zh-done>? 任何? <zh-part> <zh-work>", "zh", proof,
		[]string{"未进行安全审查", "没有做安全检查", "沒有進行任何安全審查"},
		[]string{"已进行安全审查，没有发现问题", "没有安全问题"},
	},
	{
		"<zh-part> <zh-work>? 未|没有|沒有|尚未|并未|並未|没|沒|未被 <zh-done>", "zh", proof,
		[]string{"安全审查未进行", "安全審查沒有做"},
		[]string{"安全审查已完成"},
	},
	{
		"跳过|跳過|略过|略過|省略 了? <zh-part>", "zh", proof,
		[]string{"跳过了安全审查", "略過安全審查"},
		[]string{"跳过 1 个测试"},
	},
}
