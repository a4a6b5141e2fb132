package planmd

// The names of sections (PD-5, PD-11), as the standard, its translations and plans in the wild write them.
// A generic word that other headings use too ("Checks", "Tests", "Notes") is left out on purpose:
// a section taken by mistake hides one that is missing.
var sectionRows = []row[SectionKind]{
	// Goal and Context stand in READMEs and in records alike; the place tells which is meant.
	{Goal, "en", "goal|goals|objective|objectives|task goal|plan goal|goal of the plan|goal of this task|purpose"},
	{Goal, "pt", "objetivo|objetivos|meta|objetivo do plano|objetivo da tarefa"},
	{Goal, "es", "objetivo|objetivos|meta|objetivo del plan|objetivo de la tarea"},
	{Goal, "th", "เป้าหมาย|วัตถุประสงค์|จุดประสงค์|เป้าหมายของแผน|เป้าหมายของงาน"},
	{Goal, "zh", "目标|目標|目的|任务目标|任務目標|计划目标|計劃目標"},

	{Context, "en", "context|background|context and background|background and context|task context|plan context"},
	{Context, "pt", "contexto|contexto do plano|contexto da tarefa"},
	{Context, "es", "contexto|antecedentes|contexto del plan|contexto de la tarea"},
	{Context, "th", "บริบท|ความเป็นมา|ภูมิหลัง|ที่มา|ที่มาและบริบท"},
	{Context, "zh", "背景|上下文|背景与上下文|背景與上下文|语境|脈絡|背景信息|背景資訊"},

	// The parts of a README (PD-4).
	{TaskList, "en", "task list|task list and links|tasks|plan tasks|list of tasks|task index|index of tasks|task list and status"},
	{TaskList, "pt", "lista de tarefas|tarefas|lista de tarefas e links|índice de tarefas"},
	{TaskList, "es", "lista de tareas|tareas|lista de tareas y enlaces|índice de tareas"},
	{TaskList, "th", "รายการงาน|รายการภารกิจ|ลิสต์งาน|ดัชนีงาน|รายการงานและลิงก์"},
	{TaskList, "zh", "任务列表|任務列表|任务清单|任務清單|任务索引|任務索引|任务列表与链接|任務列表與連結"},

	{PlanStatus, "en", "plan status|status of the plan|plan progress"},
	{PlanStatus, "pt", "estado do plano|status do plano|situação do plano|progresso do plano"},
	{PlanStatus, "es", "estado del plan|progreso del plan|estatus del plan"},
	{PlanStatus, "th", "สถานะแผน|สถานะของแผน|สถานะแผนงาน|ความคืบหน้าของแผน"},
	{PlanStatus, "zh", "计划状态|計劃狀態|计划进度|計劃進度|方案状态"},

	{ExecutionRules, "en", "execution rules|execution rules for the agent|execution rules for agents|rules of execution|rules for the agent|agent rules|execution protocol"},
	{ExecutionRules, "pt", "regras de execução|regras de execução para o agente|regras para o agente|regras da execução"},
	{ExecutionRules, "es", "reglas de ejecución|reglas de ejecución para el agente|reglas para el agente|normas de ejecución"},
	{ExecutionRules, "th", "กฎการดำเนินการ|กฎการทำงาน|กฎการปฏิบัติงาน|กฎการดำเนินงาน|กฎการดำเนินการสำหรับเอเจนต์"},
	{ExecutionRules, "zh", "执行规则|執行規則|代理执行规则|代理執行規則|智能体执行规则|执行规范"},

	{Guidelines, "en", "guidelines|global guidelines|general guidelines|plan guidelines|guidelines for the agent"},
	{Guidelines, "pt", "diretrizes|diretrizes globais|diretrizes gerais|orientações|orientações gerais"},
	{Guidelines, "es", "directrices|directrices globales|directrices generales|pautas|pautas generales|lineamientos"},
	{Guidelines, "th", "แนวทาง|แนวทางปฏิบัติ|แนวทางทั่วไป|แนวทางโดยรวม"},
	{Guidelines, "zh", "指南|准则|準則|总体指南|全局指南|全域指南|通用准则|指导原则|指導原則"},

	{Variables, "en", "variables|plan variables|global variables|variables used"},
	{Variables, "pt", "variáveis|variáveis do plano|variáveis globais"},
	{Variables, "es", "variables|variables del plan|variables globales"},
	{Variables, "th", "ตัวแปร|ตัวแปรของแผน"},
	{Variables, "zh", "变量|變數|變量|计划变量|計劃變數|全局变量"},

	{OutputsTable, "en", "analysis outputs|outputs table|table of outputs|analysis results|plan outputs"},
	{OutputsTable, "pt", "saídas da análise|saídas de análise|resultados da análise|tabela de saídas"},
	{OutputsTable, "es", "salidas del análisis|salidas de análisis|resultados del análisis|tabla de salidas"},
	{OutputsTable, "th", "ผลลัพธ์การวิเคราะห์|ผลการวิเคราะห์|ตารางผลลัพธ์"},
	{OutputsTable, "zh", "分析输出|分析輸出|分析产出|分析產出|分析结果|分析結果|输出表|輸出表"},

	{Selection, "en", "format selection|format selection record|selection of format|format decision|format choice"},
	{Selection, "pt", "seleção de formato|seleção do formato|escolha do formato|registro da seleção de formato|decisão de formato"},
	{Selection, "es", "selección de formato|selección del formato|elección del formato|registro de selección de formato|decisión de formato"},
	{Selection, "th", "การเลือกรูปแบบ|บันทึกการเลือกรูปแบบ"},
	{Selection, "zh", "格式选择|格式選擇|格式选择记录|格式選擇記錄"},

	{TeamAgents, "en", "team agents|agent team|parallel groups|team agents and groups"},
	{TeamAgents, "pt", "equipe de agentes|agentes da equipe|equipa de agentes|grupos paralelos"},
	{TeamAgents, "es", "equipo de agentes|agentes del equipo|grupos paralelos"},
	{TeamAgents, "th", "ทีมเอเจนต์|เอเจนต์ในทีม|กลุ่มงานคู่ขนาน"},
	{TeamAgents, "zh", "团队代理|團隊代理|代理团队|代理團隊|智能体团队|并行组|並行組"},

	// The ten sections of a record (PD-5), in their usual order.
	{Reads, "en", "read before starting|read before you start|read first|before starting|before you start|required reading"},
	{Reads, "pt", "leia antes de começar|ler antes de começar|leitura antes de começar|leitura prévia|leia antes de iniciar"},
	{Reads, "es", "leer antes de empezar|leer antes de comenzar|lee antes de empezar|lecturas previas|lectura previa|lea antes de empezar"},
	{Reads, "th", "อ่านก่อนเริ่ม|อ่านก่อนเริ่มงาน|สิ่งที่ต้องอ่านก่อนเริ่ม"},
	{Reads, "zh", "开始前阅读|開始前閱讀|开始前必读|開始前必讀|开始之前阅读|先读|预先阅读"},

	{Surface, "en", "touched surface|surface touched|surfaces touched|touched surfaces|touch surface|touched surface area"},
	{Surface, "pt", "superfície tocada|superfície afetada|superfície alterada|superfícies tocadas|superfície de impacto"},
	{Surface, "es", "superficie tocada|superficie afectada|superficie modificada|superficies tocadas|superficie de impacto"},
	{Surface, "th", "พื้นผิวที่แตะ|พื้นผิวที่ถูกแตะ|พื้นผิวที่แตะต้อง|พื้นที่ที่แตะต้อง|ส่วนที่แก้ไข|ส่วนที่แตะต้อง|ส่วนที่ได้รับผลกระทบ|ขอบเขตที่แตะต้อง"},
	{Surface, "zh", "涉及范围|涉及範圍|触及面|觸及面|触及范围|觸及範圍|改动范围|改動範圍|接触面|接觸面|触及的表面|影响范围|影響範圍|变更面"},

	{Instructions, "en", "instructions|steps|instructions for the agent|task instructions|implementation steps|implementation|what to do|what to build"},
	{Instructions, "pt", "instruções|passos|etapas|instruções da tarefa|passos de implementação"},
	{Instructions, "es", "instrucciones|pasos|instrucciones de la tarea|pasos de implementación"},
	{Instructions, "th", "คำแนะนำ|ขั้นตอน|คำสั่ง|คำชี้แจง|วิธีดำเนินการ|ขั้นตอนการทำงาน"},
	{Instructions, "zh", "说明|說明|步骤|步驟|指令|指示|操作说明|操作說明|操作步骤|操作步驟|执行步骤|執行步驟"},

	{Acceptance, "en", "acceptance criteria|acceptance|acceptance criterion|criteria of acceptance|success criteria|criteria for acceptance|criteria of acceptance"},
	{Acceptance, "pt", "critérios de aceitação|critérios de aceite|critério de aceitação|critérios de sucesso"},
	{Acceptance, "es", "criterios de aceptación|criterio de aceptación|criterios de éxito"},
	{Acceptance, "th", "เกณฑ์การยอมรับ|เกณฑ์ยอมรับ|เงื่อนไขการยอมรับ|เกณฑ์การรับงาน|เกณฑ์การตรวจรับ|เกณฑ์ตรวจรับ|เกณฑ์ยอมรับ"},
	{Acceptance, "zh", "验收标准|驗收標準|验收条件|驗收條件|验收准则|驗收準則|接受标准|接受標準"},

	{Outputs, "en", "outputs|output|deliverables|expected outputs|task outputs"},
	{Outputs, "pt", "saídas|saída|resultados|entregáveis|entregas|saídas esperadas"},
	{Outputs, "es", "salidas|salida|resultados|entregables|salidas esperadas"},
	{Outputs, "th", "ผลลัพธ์|ผลงาน|สิ่งที่ส่งมอบ|เอาต์พุต"},
	{Outputs, "zh", "输出|輸出|产出|產出|产物|產物|交付物|成果"},

	{Validation, "en", "validation|validations|validation gate|validation gates|validation commands|verification|validation and gates|validation steps|validation step"},
	{Validation, "pt", "validação|validações|verificação|comandos de validação|portões de validação"},
	{Validation, "es", "validación|validaciones|verificación|comandos de validación|puertas de validación"},
	{Validation, "th", "การตรวจสอบ|การตรวจสอบความถูกต้อง|การตรวจสอบผล|คำสั่งตรวจสอบ|การยืนยันผล|การทวนสอบ|การยืนยัน|การยืนยันความถูกต้อง"},
	{Validation, "zh", "验证|驗證|校验|校驗|验证命令|驗證命令|验证步骤|驗證步驟"},

	{Checklist, "en", "execution checklist|checklist|task checklist|execution check list"},
	{Checklist, "pt", "lista de verificação de execução|lista de verificação|checklist de execução|lista de verificação da execução"},
	{Checklist, "es", "lista de comprobación de ejecución|lista de verificación de ejecución|lista de comprobación|lista de verificación|lista de control de ejecución|checklist de ejecución"},
	{Checklist, "th", "รายการตรวจสอบการดำเนินการ|รายการตรวจสอบ|เช็กลิสต์การดำเนินการ|เช็คลิสต์การดำเนินการ|เช็กลิสต์|รายการตรวจสอบการทำงาน"},
	{Checklist, "zh", "执行检查清单|執行檢查清單|执行清单|執行清單|检查清单|檢查清單|执行检查表|執行檢查表|执行核对表"},

	{CompletionLog, "en", "completion and log|completion log|completion|task log|execution log|log of completion|completion and logs|completion record"},
	{CompletionLog, "pt", "conclusão e registro|conclusão e log|registro de conclusão|conclusão|conclusão e registo|registo de conclusão|log de conclusão"},
	{CompletionLog, "es", "finalización y registro|registro de finalización|finalización|cierre y registro|finalización y log|registro de cierre|conclusión y registro|completado y registro"},
	{CompletionLog, "th", "บันทึกการเสร็จสิ้น|การเสร็จสิ้นและบันทึก|การเสร็จสิ้น|ความสมบูรณ์และบันทึก|บันทึกความสำเร็จ|สรุปและบันทึก|บันทึกการทำงาน"},
	{CompletionLog, "zh", "完成与日志|完成與日誌|完成与记录|完成與記錄|完成日志|完成日誌|完成记录|完成記錄|完成情况与日志"},

	// Optional sections of a record; they are known so that they end the section before them.
	{Rollback, "en", "rollback|roll back|rollback plan|rollback steps"},
	{Rollback, "pt", "reversão|plano de reversão|rollback"},
	{Rollback, "es", "reversión|plan de reversión|rollback"},
	{Rollback, "th", "การย้อนกลับ|แผนการย้อนกลับ"},
	{Rollback, "zh", "回滚|回滾|回滚方案|回滾方案|回退"},

	{Delta, "en", "delta|spec delta|deltas"},
	{Delta, "zh", "变更增量|變更增量|增量"},
	{Delta, "th", "เดลตา"},

	{TeamMetadata, "en", "team agents metadata|agents metadata|team metadata"},
	{TeamMetadata, "pt", "metadados da equipe de agentes|metadados dos agentes|metadados da equipe"},
	{TeamMetadata, "es", "metadatos del equipo de agentes|metadatos de agentes|metadatos del equipo"},
	{TeamMetadata, "th", "เมทาดาทาทีมเอเจนต์|ข้อมูลทีมเอเจนต์"},
	{TeamMetadata, "zh", "团队代理元数据|團隊代理中繼資料|代理团队元数据"},

	{Dependencies, "en", "dependencies|depends on|task dependencies"},
	{Dependencies, "pt", "dependências|depende de|dependências da tarefa"},
	{Dependencies, "es", "dependencias|depende de|dependencias de la tarea"},
	{Dependencies, "th", "การพึ่งพา|ขึ้นกับ|ขึ้นอยู่กับ"},
	{Dependencies, "zh", "依赖|依賴|依赖关系|依賴關係|任务依赖|任務依賴"},

	// The sections of PROGRESS.md that commands read (PD-12).
	{Decisions, "en", "decisions|decision log|decisions made"},
	{Decisions, "pt", "decisões|registro de decisões|decisões tomadas"},
	{Decisions, "es", "decisiones|registro de decisiones|decisiones tomadas"},
	{Decisions, "th", "การตัดสินใจ|บันทึกการตัดสินใจ"},
	{Decisions, "zh", "决策|決策|决定|決定|决策记录|決策記錄"},

	{Discovered, "en", "discovered|discovered work|discovered tasks|work discovered"},
	{Discovered, "pt", "descoberto|descobertas|trabalho descoberto"},
	{Discovered, "es", "descubierto|descubrimientos|trabajo descubierto"},
	{Discovered, "th", "งานที่ค้นพบ|สิ่งที่ค้นพบ|สิ่งที่พบเพิ่ม"},
	{Discovered, "zh", "发现|發現|新发现的工作|發現的工作|发现的工作"},

	{DocsReconciling, "en", "documentation reconciliation|docs reconciliation|reconciliation of documentation"},
	{DocsReconciling, "pt", "reconciliação da documentação|reconciliação de documentação|conciliação da documentação"},
	{DocsReconciling, "es", "reconciliación de la documentación|reconciliación de documentación|conciliación de la documentación"},
	{DocsReconciling, "th", "การปรับเอกสารให้ตรงกัน|การกระทบยอดเอกสาร|การตรวจทานเอกสาร"},
	{DocsReconciling, "zh", "文档核对|文件核對|文档对账|文档一致性核对|文档协调|文件協調"},
}

// sectionExact are names too short to carry a qualifier: "Status" is the plan's, "Status of the carrier" is prose.
var sectionExact = []row[SectionKind]{
	{PlanStatus, "en", "status|current status"},
	{PlanStatus, "pt", "estado|situação|status"},
	{PlanStatus, "es", "estado|estatus"},
	{PlanStatus, "th", "สถานะ"},
	{PlanStatus, "zh", "状态|狀態"},
	{CompletionLog, "en", "log|completion notes"},
	{CompletionLog, "pt", "registro|registo"},
	{CompletionLog, "es", "registro|bitácora"},
	{CompletionLog, "th", "บันทึก"},
	{CompletionLog, "zh", "日志|日誌|完成"},
}

// sectionPairs are names made of two words that translators choose freely: each of left with each of
// right behind it. Completion and log also change places.
var sectionPairs = []pairs{
	// "Changed files" is left out: logs list them under that name.
	{Surface, "en", "touched|affected|impacted|modified", " ", "surface|surfaces|area|areas", false},
	{Surface, "en", "touched|affected", " ", "files|paths", false},
	{Surface, "en", "surface|surfaces", " ", "touched|affected|impacted|modified", false},
	{Surface, "pt", "superfície|área", " ", "tocada|afetada|alterada|impactada|modificada|atingida|de impacto|de contato|de contacto|de mudança|de alteração", false},
	{Surface, "pt", "superfícies|áreas", " ", "tocadas|afetadas|alteradas|impactadas|modificadas|atingidas", false},
	{Surface, "es", "superficie|área", " ", "tocada|afectada|modificada|impactada|alterada|de impacto|de contacto|de cambio|de cambios", false},
	{Surface, "es", "superficies|áreas", " ", "tocadas|afectadas|modificadas|impactadas|alteradas", false},
	{Surface, "th", "พื้นที่|พื้นผิว|ส่วน|ขอบเขต", "", "ที่แตะต้อง|ที่ถูกแตะต้อง|ที่แตะ|ที่สัมผัส|ที่ได้รับผลกระทบ|ที่กระทบ|ที่เกี่ยวข้อง|ที่แก้ไข|ที่ถูกแก้ไข|ที่เปลี่ยนแปลง", false},
	{Surface, "zh", "触及|触碰|接触|影响|涉及|波及|改动|变更|变动|修改|受影响|觸及|觸碰|接觸|影響|涉及|改動|變更|修改|受影響", "", "范围|面|区域|表面|範圍|區域", false},

	{CompletionLog, "en", "completion|completed|closing|closure", " and ", "log|logs|record|records|notes", true},
	{CompletionLog, "pt", "conclusão|finalização|encerramento|fechamento|término|conclusao", " e ", "registro|registros|registo|registos|log|diário|notas", true},
	{CompletionLog, "es", "finalización|cierre|conclusión|terminación|compleción|completitud|completado|término", " y ", "registro|registros|bitácora|log|notas", true},
	{CompletionLog, "pt", "registro|registo|log|diário", " de ", "conclusão|finalização|encerramento|fechamento", false},
	{CompletionLog, "es", "registro|bitácora|log", " de ", "finalización|cierre|conclusión|terminación", false},
	{CompletionLog, "th", "การเสร็จสิ้น|เสร็จสิ้น|ความสำเร็จ|ความสมบูรณ์|การปิดงาน|ปิดงาน|สรุป|การสรุป|การดำเนินการเสร็จสิ้น", "และ", "บันทึก|ล็อก|บันทึกการทำงาน|การบันทึก", true},
	{CompletionLog, "zh", "完成|完成情况|完成情況|收尾|结束|結束|完结|完結", "与", "日志|记录|纪录|日誌|記錄|紀錄", true},
	{CompletionLog, "zh", "完成|完成情况|收尾|结束|結束", "", "日志|记录|纪录|日誌|記錄|紀錄", false},
}
