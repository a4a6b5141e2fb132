package planmd

// The names of labelled lines (PD-4, PD-6, PD-8, PD-12, AM-1).
var fieldRows = []row[FieldKind]{
	// The lines at the top of a README (PD-4). A word that prose often begins a line with is left out: what is taken for a
	// field is no longer read as words of its section.
	{FieldStandard, "en", "standard|dwp standard|plan standard"},
	{FieldStandard, "pt", "padrão|norma"},
	{FieldStandard, "es", "estándar|norma"},
	{FieldStandard, "th", "มาตรฐาน"},
	{FieldStandard, "zh", "标准|標準|规范|規範"},

	{FieldApproval, "en", "approval|approval status|plan approval"},
	{FieldApproval, "pt", "aprovação|estado da aprovação"},
	{FieldApproval, "es", "aprobación|estado de aprobación|estado de la aprobación"},
	{FieldApproval, "th", "การอนุมัติ|สถานะการอนุมัติ|อนุมัติ"},
	{FieldApproval, "zh", "批准|审批|審批|批准状态|批准狀態|审批状态|審批狀態"},

	{FieldFormat, "en", "format|plan format"},
	{FieldFormat, "pt", "formato|formato do plano"},
	{FieldFormat, "es", "formato|formato del plan"},
	{FieldFormat, "th", "รูปแบบ|รูปแบบแผน"},
	{FieldFormat, "zh", "格式|计划格式|計劃格式"},

	{FieldExecution, "en", "execution|execution mode|parallelism"},
	{FieldExecution, "pt", "execução|modo de execução|paralelismo"},
	{FieldExecution, "es", "ejecución|modo de ejecución|paralelismo"},
	{FieldExecution, "th", "การดำเนินการ|โหมดการดำเนินการ|การทำงาน"},
	{FieldExecution, "zh", "执行|執行|执行方式|執行方式|执行模式|執行模式"},

	// Counts and states. "Status" alone is a state, "Plan Status" a count: the index answers for the one, the log for the other.
	{FieldCount, "en", "plan status|tasks completed|overall progress|completed tasks|tasks done|plan progress"},
	{FieldCount, "pt", "estado do plano|status do plano|situação do plano|tarefas concluídas|progresso geral"},
	{FieldCount, "es", "estado del plan|tareas completadas|progreso general|progreso global"},
	{FieldCount, "th", "สถานะแผน|สถานะของแผน|งานที่เสร็จแล้ว|งานที่เสร็จสิ้น|ความคืบหน้าโดยรวม"},
	{FieldCount, "zh", "计划状态|計劃狀態|已完成任务|已完成任務|总体进度|總體進度|整体进度"},

	{FieldStatus, "en", "status|current status|phase|task status|current phase|state"},
	{FieldStatus, "pt", "estado|status|situação|estado atual|status atual|fase|situação atual"},
	{FieldStatus, "es", "estado|estatus|estado actual|fase"},
	{FieldStatus, "th", "สถานะ|สถานะปัจจุบัน|สถานะงาน|ระยะ"},
	{FieldStatus, "zh", "状态|狀態|当前状态|目前狀態|當前狀態|阶段|階段|任务状态|任務狀態"},

	{FieldOptIn, "en", "unattended|unattended runs|unattended execution"},
	{FieldOptIn, "pt", "não assistido|não supervisionado|sem supervisão|desassistido|execução não assistida"},
	{FieldOptIn, "es", "desatendido|desatendida|sin supervisión|no supervisado|ejecución desatendida"},
	{FieldOptIn, "th", "ไม่มีผู้ดูแล|ทำงานโดยไม่มีผู้ดูแล|แบบไม่มีผู้ดูแล"},
	{FieldOptIn, "zh", "无人值守|無人值守|无人看管|無人看管"},

	{FieldDepends, "en", "depends on|depends|dependency|dependencies|task dependencies"},
	{FieldDepends, "pt", "depende de|dependências|dependência"},
	{FieldDepends, "es", "depende de|dependencias|dependencia"},
	{FieldDepends, "th", "ขึ้นกับ|ขึ้นอยู่กับ|พึ่งพา"},
	{FieldDepends, "zh", "依赖|依賴|依赖于|依賴於|前置任务|前置任務"},

	// The facts of a Touched Surface (PD-6). "Real" is what Portuguese and Spanish say for actual.
	{FieldPlanned, "en", "planned|planned paths|planned files|planned surface|planned paths and components"},
	{FieldPlanned, "pt", "planejado|planejados|caminhos planejados|planeado|caminhos planeados|previsto|arquivos planejados"},
	{FieldPlanned, "es", "planificado|planificados|rutas planificadas|planeado|previsto|archivos planificados|rutas previstas"},
	{FieldPlanned, "th", "ที่วางแผน|ตามแผน|พาธที่วางแผน|ที่วางแผนไว้|เส้นทางที่วางแผน"},
	{FieldPlanned, "zh", "计划|計劃|计划路径|計劃路徑|计划的路径|预计路径|預計路徑|计划文件"},

	{FieldActual, "en", "actual|actual paths|actual files|actual surface|actually touched"},
	{FieldActual, "pt", "real|caminhos reais|efetivo|arquivos reais|realizado"},
	{FieldActual, "es", "real|rutas reales|efectivo|archivos reales"},
	{FieldActual, "th", "จริง|ที่ใช้จริง|พาธจริง|ที่แก้ไขจริง|เส้นทางจริง"},
	{FieldActual, "zh", "实际|實際|实际路径|實際路徑|实际文件"},

	{FieldConsumers, "en", "consumers|affected consumers|consumers affected"},
	{FieldConsumers, "pt", "consumidores|consumidores afetados|consumidores impactados"},
	{FieldConsumers, "es", "consumidores|consumidores afectados"},
	{FieldConsumers, "th", "ผู้ใช้ที่ได้รับผลกระทบ|ผู้ใช้งานที่ได้รับผลกระทบ|ส่วนที่เรียกใช้"},
	{FieldConsumers, "zh", "受影响的使用方|受影響的使用方|受影响的消费者|受影響的消費者|使用方|消费者|受影响方"},

	{FieldRisk, "en", "risk class|risk|risk level|risk classification"},
	{FieldRisk, "pt", "classe de risco|risco|nível de risco"},
	{FieldRisk, "es", "clase de riesgo|riesgo|nivel de riesgo"},
	{FieldRisk, "th", "ระดับความเสี่ยง|ความเสี่ยง|ประเภทความเสี่ยง"},
	{FieldRisk, "zh", "风险等级|風險等級|风险类别|風險類別|风险|風險|风险级别"},

	{FieldMapping, "en", "test mapping|test mapping used|mapping|tests mapped"},
	{FieldMapping, "pt", "mapeamento de testes|mapeamento de testes usado|mapa de testes"},
	{FieldMapping, "es", "mapeo de pruebas|mapeo de pruebas usado|mapa de pruebas|asignación de pruebas"},
	{FieldMapping, "th", "การจับคู่การทดสอบ|การแมปการทดสอบ|แผนที่การทดสอบ"},
	{FieldMapping, "zh", "测试映射|測試對應|測試映射|所用测试映射"},

	// The Portuguese and Spanish words for a gate are as often left in English.
	{FieldGate, "en", "gate|gate chosen|chosen gate|gate chosen and why|gate and why|validation gate|gates"},
	{FieldGate, "pt", "portão|portão escolhido|gate escolhido|portão escolhido e por quê|gate"},
	{FieldGate, "es", "puerta|puerta elegida|gate elegido|puerta elegida y por qué|compuerta|gate"},
	{FieldGate, "th", "เกต|เกตที่เลือก|เกทที่เลือก|ด่านที่เลือก"},
	{FieldGate, "zh", "关卡|關卡|门禁|門禁|所选门禁|所選門禁|所选关卡|選擇的關卡|选择的门禁"},

	// What the log of a completed task decides (PD-8). The bare nouns count too: agents write "Skills: none".
	{FieldSkills, "en", "skills disposition|skill disposition|skills|skills decision|disposition of skills"},
	{FieldSkills, "pt", "disposição de skills|disposição das skills|disposição de habilidades|habilidades|skills|decisão de skills"},
	{FieldSkills, "es", "disposición de skills|disposición de habilidades|habilidades|skills|disposición de las skills"},
	{FieldSkills, "th", "การจัดการสกิล|การจัดการทักษะ|ทักษะ|สกิล"},
	{FieldSkills, "zh", "技能处置|技能處置|技能处理|技能處理|技能"},

	{FieldDocs, "en", "documentation decision|docs decision|documentation|documentation disposition|docs"},
	{FieldDocs, "pt", "decisão de documentação|decisão sobre documentação|decisão sobre a documentação|documentação"},
	{FieldDocs, "es", "decisión de documentación|decisión sobre documentación|decisión sobre la documentación|documentación"},
	{FieldDocs, "th", "การตัดสินใจเรื่องเอกสาร|การตัดสินใจด้านเอกสาร|เอกสาร"},
	{FieldDocs, "zh", "文档决策|文件決策|文檔決策|文档决定|文件決定|文档|文檔"},

	{FieldReconcile, "en", "documentation reconciliation|docs reconciliation|documentation reconciled"},
	{FieldReconcile, "pt", "reconciliação da documentação|reconciliação de documentação|conciliação da documentação"},
	{FieldReconcile, "es", "reconciliación de la documentación|reconciliación de documentación|conciliación de la documentación"},
	{FieldReconcile, "th", "การปรับเอกสารให้ตรงกัน|การกระทบยอดเอกสาร|การตรวจทานเอกสาร"},
	{FieldReconcile, "zh", "文档核对|文件核對|文档对账|文档一致性核对|文档协调|文件協調"},

	// The fields of an amendment (AM-1). They are looked for in amendments only, so short words do no harm.
	{FieldOriginal, "en", "original criterion|original|original criterion verbatim|original requirement"},
	{FieldOriginal, "pt", "critério original|original|requisito original"},
	{FieldOriginal, "es", "criterio original|original|requisito original"},
	{FieldOriginal, "th", "เกณฑ์เดิม|ต้นฉบับ|ข้อกำหนดเดิม"},
	{FieldOriginal, "zh", "原标准|原標準|原始标准|原始標準|原始准则|原有标准"},

	{FieldObserved, "en", "observed|what was observed|observation"},
	{FieldObserved, "pt", "observado|o que foi observado|observação"},
	{FieldObserved, "es", "observado|lo observado|lo que se observó|observación"},
	{FieldObserved, "th", "สิ่งที่พบ|สิ่งที่สังเกต|ที่สังเกตได้"},
	{FieldObserved, "zh", "观察|觀察|观察结果|觀察結果|所观察到的"},

	{FieldDisposition, "en", "disposition"},
	{FieldDisposition, "pt", "disposição"},
	{FieldDisposition, "es", "disposición"},
	{FieldDisposition, "th", "การจัดการ|การดำเนินการต่อ"},
	{FieldDisposition, "zh", "处置|處置|处理|處理|处理方式"},

	{FieldRevised, "en", "revised criterion|revised|new criterion|revised requirement"},
	{FieldRevised, "pt", "critério revisado|critério revisto|revisado|novo critério"},
	{FieldRevised, "es", "criterio revisado|revisado|nuevo criterio"},
	{FieldRevised, "th", "เกณฑ์ที่แก้ไข|เกณฑ์ใหม่|เกณฑ์ที่ปรับปรุง"},
	{FieldRevised, "zh", "修订标准|修訂標準|修订后的标准|修訂後的標準|新标准|新標準"},

	{FieldReason, "en", "reason|reasons|why|rationale"},
	{FieldReason, "pt", "motivo|razão|justificativa|por quê"},
	{FieldReason, "es", "motivo|razón|justificación|por qué"},
	{FieldReason, "th", "เหตุผล|สาเหตุ"},
	{FieldReason, "zh", "原因|理由"},

	{FieldAuthority, "en", "authority|authorised by|authorized by"},
	{FieldAuthority, "pt", "autoridade|autorizado por"},
	{FieldAuthority, "es", "autoridad|autorizado por"},
	{FieldAuthority, "th", "ผู้มีอำนาจ|อำนาจ|ผู้อนุญาต"},
	{FieldAuthority, "zh", "权限|權限|授权|授權|授权人|授權人|授权方"},

	{FieldAffected, "en", "affected tasks|affected|affected task|tasks affected"},
	{FieldAffected, "pt", "tarefas afetadas|tarefa afetada|afetadas"},
	{FieldAffected, "es", "tareas afectadas|tarea afectada|afectadas"},
	{FieldAffected, "th", "งานที่ได้รับผลกระทบ|ภารกิจที่ได้รับผลกระทบ"},
	{FieldAffected, "zh", "受影响的任务|受影響的任務|受影响任务|受影響任務"},

	{FieldInvalidated, "en", "evidence invalidated|invalidated evidence|invalidated"},
	{FieldInvalidated, "pt", "evidência invalidada|evidências invalidadas|evidência anulada"},
	{FieldInvalidated, "es", "evidencia invalidada|evidencias invalidadas|evidencia anulada"},
	{FieldInvalidated, "th", "หลักฐานที่ใช้ไม่ได้|หลักฐานที่เป็นโมฆะ|หลักฐานที่ถูกยกเลิก"},
	{FieldInvalidated, "zh", "作废的证据|作廢的證據|失效的证据|失效的證據|失效证据|作废证据"},

	{FieldPreserved, "en", "evidence preserved|preserved evidence|preserved|evidence kept"},
	{FieldPreserved, "pt", "evidência preservada|evidências preservadas|evidência mantida"},
	{FieldPreserved, "es", "evidencia preservada|evidencias preservadas|evidencia conservada"},
	{FieldPreserved, "th", "หลักฐานที่คงไว้|หลักฐานที่ยังใช้ได้"},
	{FieldPreserved, "zh", "保留的证据|保留的證據|保留证据|保留證據"},
}

// fieldExact are labels that name something else as soon as a word follows: "Completed: 3/4" is a
// count, "Completed (date)" is not.
var fieldExact = []row[FieldKind]{
	{FieldCount, "en", "completed|progress|completion"},
	{FieldCount, "pt", "concluídas|concluído|progresso"},
	{FieldCount, "es", "completadas|completado|progreso"},
	{FieldCount, "th", "เสร็จแล้ว|ความคืบหน้า"},
	{FieldCount, "zh", "已完成|进度|進度"},
}
