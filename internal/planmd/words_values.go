package planmd

// stateRows are the words of a status line (C109).
var stateRows = []row[LogState]{
	// In reading order: what waits, what runs, what is done, what is stopped, what is out of scope. "Planned" waits.
	{LogPending, "en", "pending|not started|not begun|todo|to do|open|waiting|queued|planned|incomplete|uncompleted|unfinished|undone|outstanding|not run"},
	{LogInProgress, "en", "in progress|started|ongoing|wip|work in progress|underway|under way|working|active|running|in review|resumed"},
	{LogCompleted, "en", "completed|complete|done|finished|closed"},
	{LogBlocked, "en", "blocked|on hold|stuck"},
	{LogSkipped, "en", "skipped|removed from scope|out of scope|cancelled|canceled|dropped"},

	{LogPending, "pt", "pendente|a fazer|aberta|aberto|por fazer|não iniciada|não iniciado|por iniciar|incompleta|incompleto|inacabada|inacabado|aguardando|por concluir|a concluir"},
	{LogInProgress, "pt", "em andamento|em progresso|em curso|iniciada|iniciado|em execução"},
	{LogCompleted, "pt", "concluída|concluído|completa|completo|completada|completado|finalizada|finalizado|feita|feito|pronta|pronto|terminada|terminado|encerrada|encerrado"},
	{LogBlocked, "pt", "bloqueada|bloqueado|impedida|impedido"},
	{LogSkipped, "pt", "pulada|pulado|ignorada|ignorado|omitida|omitido|fora do escopo|cancelada|cancelado"},

	{LogPending, "es", "pendiente|por hacer|sin empezar|sin iniciar|no iniciada|no iniciado|abierta|abierto|sin terminar|sin completar|sin concluir|incompleta|incompleto|por completar|por terminar|a completar"},
	{LogInProgress, "es", "en progreso|en curso|en marcha|iniciada|iniciado|en ejecución|empezada|empezado"},
	{LogCompleted, "es", "todo listo|todo hecho|todo completado|todo terminado|completada|completado|completa|completo|finalizada|finalizado|terminada|terminado|hecha|hecho|lista|listo|concluida|concluido|cerrada|cerrado"},
	{LogBlocked, "es", "bloqueada|bloqueado|detenida|detenido"},
	{LogSkipped, "es", "omitida|omitido|saltada|saltado|fuera de alcance|cancelada|cancelado"},

	{LogPending, "th", "รอดำเนินการ|ยังไม่เริ่ม|ยังไม่ได้เริ่ม|ยังไม่เสร็จ|ยังไม่เสร็จสิ้น|ไม่เสร็จ|รออยู่|ค้างอยู่|รอการดำเนินการ|ยังไม่ได้ดำเนินการ|ยังไม่ได้ทำ|ไม่สมบูรณ์"},
	{LogInProgress, "th", "กำลังดำเนินการ|กำลังทำ|ระหว่างดำเนินการ|อยู่ระหว่างดำเนินการ|เสร็จบางส่วน|เริ่มแล้ว"},
	{LogCompleted, "th", "เสร็จสิ้น|เสร็จแล้ว|เสร็จสมบูรณ์|เสร็จ|สำเร็จ|ดำเนินการแล้ว|สมบูรณ์"},
	{LogBlocked, "th", "ถูกบล็อก|บล็อก|ติดขัด|ถูกระงับ|ติดปัญหา"},
	{LogSkipped, "th", "ข้าม|ถูกข้าม|ยกเลิก|นอกขอบเขต"},

	{LogPending, "zh", "待处理|待處理|待办|待辦|待定|未开始|未開始|尚未开始|尚未開始|未完成|尚未完成|没有完成|沒有完成|没完成|沒完成|等待|待开始|待開始|待完成|未启动|待执行|待執行"},
	{LogInProgress, "zh", "进行中|進行中|正在进行|正在進行|处理中|處理中|部分完成|执行中|執行中|已开始|已開始"},
	{LogCompleted, "zh", "已完成|完成|完成了|已结束|已結束|已关闭|已關閉"},
	{LogBlocked, "zh", "阻塞|受阻|被阻止|已阻止|卡住|被阻塞"},
	{LogSkipped, "zh", "跳过|跳過|已跳过|已跳過|略过|略過|已取消"},
}

// approvalRelayed marks an approval that another agent passed on: it adds no authority (UN-6).
const approvalRelayed = "relayed"

// approvalRows are the words of an Approval line (PS-8).
var approvalRows = []row[string]{
	// Only words that say so approve; anything else is pending or unknown (LF-7).
	{ApprovalApproved, "en", "approved"},
	{ApprovalPreApproved, "en", "pre approved|preapproved|auto approved"},
	{ApprovalPending, "en", "pending|awaiting approval|waiting for approval|unapproved|in review|under review|draft|proposal|awaiting review"},
	{ApprovalOther, "en", "rejected|declined|revoked|withdrawn|disapproved"},
	{approvalRelayed, "en", "relayed|passed on by"},

	{ApprovalApproved, "pt", "aprovado|aprovada"},
	{ApprovalPreApproved, "pt", "pré aprovado|pré aprovada|préaprovado|préaprovada"},
	{ApprovalPending, "pt", "pendente|aguardando aprovação|em revisão|rascunho|proposta"},
	{ApprovalOther, "pt", "rejeitado|rejeitada|recusado|recusada|revogado|revogada|reprovado|reprovada"},
	{approvalRelayed, "pt", "retransmitido|retransmitida|repassado por|repassada por"},

	{ApprovalApproved, "es", "aprobado|aprobada"},
	{ApprovalPreApproved, "es", "pre aprobado|pre aprobada|preaprobado|preaprobada"},
	{ApprovalPending, "es", "pendiente|a la espera de aprobación|en espera de aprobación|en revisión|borrador|propuesta"},
	{ApprovalOther, "es", "rechazado|rechazada|revocado|revocada|denegado|denegada"},
	{approvalRelayed, "es", "retransmitido|retransmitida|transmitido por|transmitida por"},

	{ApprovalApproved, "th", "อนุมัติแล้ว|อนุมัติ|ได้รับการอนุมัติ|ได้รับอนุมัติ"},
	{ApprovalPreApproved, "th", "อนุมัติล่วงหน้า|อนุมัติไว้ล่วงหน้า|ได้รับการอนุมัติล่วงหน้า"},
	{ApprovalPending, "th", "รอการอนุมัติ|รออนุมัติ|รอดำเนินการ|รอตรวจสอบ|ฉบับร่าง"},
	{ApprovalOther, "th", "ปฏิเสธ|เพิกถอน"},
	{approvalRelayed, "th", "ส่งต่อโดย|ถ่ายทอดโดย"},

	{ApprovalApproved, "zh", "已批准|批准|已核准|已审批|已審批|审批通过|審批通過"},
	{ApprovalPreApproved, "zh", "预先批准|預先批准|预批准|預批准|已预先批准|已預先批准|事先批准"},
	{ApprovalPending, "zh", "待批准|待审批|待審批|未批准|等待批准|等待审批|待定|待审核|待審核|审批中|審批中|草稿"},
	{ApprovalOther, "zh", "已拒绝|已拒絕|拒绝|拒絕|已撤销|已撤銷|驳回|駁回"},
	{approvalRelayed, "zh", "转达|轉達|代为转达|代為轉達"},
}

// The risk classes of PD-6. "Core" is another word for shared.
const (
	riskIsolated      = "isolated"
	riskSeam          = "seam"
	riskShared        = "shared"
	riskUnknown       = "unknown"
	riskNotApplicable = "not-applicable"
)

// riskRows are the words of a risk class.
var riskRows = []row[string]{
	{riskIsolated, "en", "isolated|self contained"},
	{riskSeam, "en", "seam|boundary"},
	{riskShared, "en", "shared|core|shared core"},
	{riskUnknown, "en", "unknown"},
	{riskNotApplicable, "en", "not applicable|n/a|none applicable"},
	{riskIsolated, "pt", "isolado|isolada"},
	{riskSeam, "pt", "costura|junção|fronteira"},
	{riskShared, "pt", "compartilhado|compartilhada|partilhado|partilhada|núcleo"},
	{riskUnknown, "pt", "desconhecido|desconhecida"},
	{riskNotApplicable, "pt", "não aplicável|não se aplica"},
	{riskIsolated, "es", "aislado|aislada"},
	{riskSeam, "es", "costura|frontera|unión"},
	{riskShared, "es", "compartido|compartida|núcleo"},
	{riskUnknown, "es", "desconocido|desconocida"},
	{riskNotApplicable, "es", "no aplicable|no aplica|no se aplica"},
	{riskIsolated, "th", "แยกส่วน|แยกเดี่ยว|แยกอิสระ|โดดเดี่ยว"},
	{riskSeam, "th", "รอยต่อ|จุดเชื่อมต่อ"},
	{riskShared, "th", "ใช้ร่วมกัน|ใช้ร่วม|ส่วนกลาง|แกนหลัก|ส่วนแกน"},
	{riskUnknown, "th", "ไม่ทราบ|ไม่รู้"},
	{riskNotApplicable, "th", "ไม่เกี่ยวข้อง|ไม่สามารถใช้ได้|ไม่มีผล"},
	{riskIsolated, "zh", "隔离|隔離|独立|獨立|孤立"},
	{riskSeam, "zh", "接缝|接縫|边界|邊界|衔接"},
	{riskShared, "zh", "共享|共用|核心"},
	{riskUnknown, "zh", "未知|不明"},
	{riskNotApplicable, "zh", "不适用|不適用"},
}

var taskRows = []row[string]{
	{"task", "en", "task"},
	{"task", "pt", "tarefa"},
	{"task", "es", "tarea"},
	{"task", "th", "งาน|ภารกิจ|งานที่|ภารกิจที่"},
	{"task", "zh", "任务|任務"},
}

var doneRows = []row[string]{
	{"done", "en", "completed|complete|done|finished|closed"},
	{"done", "pt", "concluída|concluídas|concluído|concluídos|completas|completos|feitas|finalizadas|finalizado|terminadas"},
	{"done", "es", "completada|completadas|completado|completados|terminadas|hechas|finalizadas|finalizado|concluidas"},
	{"done", "th", "เสร็จ|สำเร็จ"},
	{"done", "zh", "完成|已结束|已結束"},
}

// deniers, comers and partials stand up to three words in front of a word and change what it says.
// They are folded already.
var (
	deniers = []string{
		"not", "never", "no", "isn't", "wasn't", "aren't", "cannot", "can't", "0%", "once", "until", "when", "if", "awaiting",
		"nao", "nunca", "sem", "ainda", "sera", "ser", "quando", "ate", "se",
		"sin", "aun", "todavia", "cuando", "hasta", "si", "tampoco",
	}
	comers   = []string{"to be", "will be", "shall be", "should be", "must be", "yet to", "needs to", "has to", "can be"}
	partials = []string{"partially", "partly", "partial", "almost", "nearly", "half", "mostly", "conditionally", "parcialmente", "quase", "casi"}

	// unspacedDeniers stand directly in front of a Thai or Chinese word.
	unspacedDeniers = []string{"ไม่", "ยังไม่", "ไม่ได้", "ยังไม่ได้", "รอ", "จะ", "未", "没有", "沒有", "没", "沒", "不", "待", "将", "將", "非"}
)
