package planmd

import (
	"strings"
	"testing"
)

// PD-11: wording, numbering, markup and language vary; the section is the same.
func TestSectionKind(t *testing.T) {
	tests := map[SectionKind][]string{
		Goal: {
			"Goal", "GOAL", "## Goal ##", "Goal:", "3) Goal:", "2. Goal", "§2 Goal", "1.2 Goal", "(2) Goal", "iv. Goal", "1 - Goal",
			"**Goal**", "__Goal__", "`Goal`", "🎯 Goal", "✅ Goal", "Goal & Scope", "Goal (short)", "Goal — why", "Goal - why", "Goal / why",
			"[Goal](#goal)", "Goal {#goal}", "Goal：", "Ｇｏａｌ", "Goal\u200b", "Goal\u00a0", "Objective",
			"Objetivo", "OBJETIVO", "1. Objetivo:", "Objetivo da tarefa", "เป้าหมาย", "๑. เป้าหมาย", "目标", "目標", "一、目标", "（一）目标", "目标：", "【目标】", "目标（简述）",
		},
		Context:        {"Context", "Background", "Contexto", "บริบท", "背景", "上下文", "背景/上下文"},
		TaskList:       {"Task List", "4. Task List & Links", "Tasks", "task_list", "Lista de tarefas", "Lista de tareas", "รายการงาน", "任务列表", "任務列表"},
		PlanStatus:     {"Plan Status", "7. Plan Status / Notes", "Status", "Estado do plano", "Estado del plan", "สถานะแผน", "计划状态", "計劃狀態"},
		ExecutionRules: {"Execution Rules", "5. Execution Rules for the Agent", "Regras de execução", "Regras de execucao", "Reglas de ejecución", "กฎการดำเนินการ", "执行规则"},
		Guidelines:     {"Guidelines", "3. Global Guidelines", "Diretrizes", "Directrices", "แนวทาง", "指南"},
		Variables:      {"Variables", "Plan Variables", "Variáveis", "ตัวแปร", "变量"},
		OutputsTable:   {"Analysis Outputs", "Saídas da análise", "Salidas del análisis", "分析输出"},
		Selection:      {"Format Selection", "Format selection record", "Selección de formato"},
		TeamAgents:     {"Team Agents", "Equipo de agentes"},
		TeamMetadata:   {"Team Agents Metadata"},
		Reads:          {"Read Before Starting", "Leia antes de começar", "Leer antes de empezar", "อ่านก่อนเริ่ม", "开始前阅读"},
		Surface: {
			"Touched Surface", "Touched surface (planned)", "Superfície tocada", "Superficie tocada", "superficie tocada",
			"พื้นผิวที่แตะ", "ส่วนที่แก้ไข", "涉及范围", "觸及面",
		},
		Instructions: {"Instructions", "Steps", "Instruções", "Instrucciones", "คำแนะนำ", "ขั้นตอน", "说明", "步骤"},
		Acceptance: {
			"Acceptance Criteria", "Acceptance criteria", "4. Acceptance Criteria", "Critérios de aceitação", "Criterios de aceitacao",
			"Criterios de aceptación", "เกณฑ์การยอมรับ", "เกณฑ์ การยอมรับ", "验收标准", "驗收標準",
		},
		Outputs:    {"Outputs", "Deliverables", "Saídas", "Salidas", "Resultados", "ผลลัพธ์", "输出"},
		Validation: {"Validation", "8. Validation", "Validation:", "Validação", "Validación", "VALIDACION", "การตรวจสอบ", "验证", "驗證", "验证 / Validation"},
		Checklist:  {"Execution Checklist", "Lista de verificação de execução", "Lista de comprobación de ejecución", "执行检查清单"},
		CompletionLog: {
			"Completion & Log", "Completion and Log", "7. Completion & Log", "Completion Log", "Completion & Log (final)", "Conclusão e registro",
			"Finalización y registro", "Registro de finalización", "บันทึกการเสร็จสิ้น", "การเสร็จสิ้นและบันทึก", "完成与日志", "完成 与 日志", "完成與日誌", "完成和日志",
		},
		Rollback:        {"Rollback", "6. Rollback", "回滚"},
		Delta:           {"Delta"},
		Dependencies:    {"Dependencies", "Depends on", "依赖"},
		Decisions:       {"Decisions", "Decisiones"},
		Discovered:      {"Discovered", "Descubierto"},
		DocsReconciling: {"Documentation Reconciliation", "Documentation reconciliation"},
		// Names that look like one and aren't: taking them would hide a section that is missing.
		Other: {
			"", "Other", "Context matters", "Checks", "Tests", "QA Verification Guide", "Validation results", "Run Validation", "Quick Reference", "Goalkeeper",
			"Task 3: Final Review", "Task Summaries", "Status of the carrier", "Status / Notes", "Notes", "Summary", "3D goals", "No goal", "Security review", "Step 1",
			"Objetivos alcançados", "Pasos siguientes", "检查", "目标检测", "การตรวจสอบภายใน", "12", "&", "- ", "((((", "Skills & Agents Used",
		},
	}
	for want, labels := range tests {
		for _, label := range labels {
			if got := sectionKind(label); got != want {
				t.Errorf("sectionKind(%q) = %q, want %q", label, got, want)
			}
		}
	}
}

func TestFieldKind(t *testing.T) {
	tests := map[FieldKind][]string{
		FieldStandard:    {"Standard", "**Standard:**", "Padrão", "标准"},
		FieldApproval:    {"Approval", "Aprovação", "Aprobación", "การอนุมัติ", "批准"},
		FieldFormat:      {"Format", "Formato", "格式"},
		FieldExecution:   {"Execution", "Execução", "Ejecución"},
		FieldCount:       {"Plan Status", "Tasks completed", "Tasks Completed", "Overall Progress", "Completed", "Tareas completadas", "已完成任务"},
		FieldStatus:      {"Status", "Current status", "Phase", "Estado", "สถานะ", "状态", "✅ Status"},
		FieldOptIn:       {"Unattended", "Desatendido", "无人值守"},
		FieldDepends:     {"Depends on", "Depende de", "ขึ้นกับ", "依赖"},
		FieldPlanned:     {"Planned", "Planned paths", "Caminhos planejados", "计划路径"},
		FieldActual:      {"Actual", "Actual paths (after)", "Rutas reales"},
		FieldConsumers:   {"Affected consumers", "Consumidores afectados"},
		FieldRisk:        {"Risk class", "Classe de risco", "Clase de riesgo", "风险等级"},
		FieldMapping:     {"Test mapping used", "Mapeo de pruebas"},
		FieldGate:        {"Gate", "Gate chosen and why", "Gate chosen & why", "Puerta elegida y por qué"},
		FieldSkills:      {"Skills disposition", "Disposición de skills", "技能处置"},
		FieldDocs:        {"Documentation decision", "Decisão de documentação"},
		FieldReconcile:   {"Documentation reconciliation"},
		FieldOriginal:    {"Original criterion", "Original criterion, verbatim", "Critério original"},
		FieldObserved:    {"Observed", "What was observed", "Observado"},
		FieldDisposition: {"Disposition", "处置"},
		FieldRevised:     {"Revised criterion (if any)", "Criterio revisado"},
		FieldReason:      {"Reason", "Motivo", "เหตุผล", "原因"},
		FieldAuthority:   {"Authority", "Autoridade", "授权"},
		FieldAffected:    {"Affected tasks", "Tareas afectadas"},
		FieldInvalidated: {"Evidence invalidated", "Evidencia invalidada"},
		FieldPreserved:   {"Evidence preserved", "Evidência preservada"},
		FieldOther:       {"", "Summary", "Finished", "Completed (date)", "Completed by", "Standards body", "Riskier", "Format of the file", "Timestamp"},
	}
	for want, labels := range tests {
		for _, label := range labels {
			if got := fieldKind(label); got != want {
				t.Errorf("fieldKind(%q) = %q, want %q", label, got, want)
			}
		}
	}
}

// C109: the state is the first state word of the value; a longer word or later prose doesn't change it.
func TestLogState(t *testing.T) {
	tests := map[LogState][]string{
		LogNone: {"", " ", "\u00a0", "**"},
		LogPending: {
			"pending", "⏳ Pending", "**Pending**", "not started", "Not yet started", "not completed", "incomplete", "to be completed", "never completed", "yet to be done",
			"pending (was completed)", "pendente", "não concluída", "nao concluida", "ainda não concluída", "por concluir", "pendiente", "no completada", "sin empezar", "aún no terminada",
			"รอดำเนินการ", "ยังไม่เสร็จ", "ยังไม่ได้เริ่ม", "待处理", "未完成", "尚未完成", "尚未 完成", "沒有完成", "0% completed",
		},
		LogInProgress: {"in progress", "in_progress", "In-Progress", "started", "partially completed", "80% complete", "WIP", "em andamento", "en curso", "กำลังดำเนินการ", "进行中", "部分完成"},
		LogCompleted: {
			"completed", "Completed", "✅ Complete", "done", "completed (was pending review)", "completed; before appending the second leg; no pending questions", "done — 2026-09-01", "100% complete",
			"`completed`", "concluída", "concluido", "completada", "terminado", "todo listo", "เสร็จสิ้น", "เสร็จแล้ว", "已完成", "完成", "✅ 完成",
		},
		LogBlocked: {"blocked", "🚫 Blocked: no key", "bloqueada", "ถูกบล็อก", "阻塞", "blocked until task 2 is completed"},
		LogSkipped: {"skipped", "omitida", "已跳过"},
		LogOther:   {"appending", "see below", "not blocked", "spending review", "abcompleted", "2026-09-01", "行"},
	}
	for want, values := range tests {
		for _, value := range values {
			if got := logState(value); got != want {
				t.Errorf("logState(%q) = %q, want %q", value, got, want)
			}
		}
	}
}

// PS-8 and UN-6: an approval is granted in so many words, or it is pending.
func TestApprovalValue(t *testing.T) {
	tests := map[string][]string{
		ApprovalApproved:    {"approved", "Approved", "approved by Ana on 2026-09-01", "✅ approved (was pending)", "aprovado por Ana", "aprobada", "อนุมัติแล้ว", "已批准"},
		ApprovalPreApproved: {"pre-approved", "pre_approved (trust)", "preapproved", "pré-aprovado", "pre-aprobado", "อนุมัติล่วงหน้า", "预先批准"},
		ApprovalPending: {
			"pending", "not approved", "not yet approved", "to be approved by Ana", "pending review by Ana", "approved, relayed by codex", "unapproved", "awaiting approval",
			"pendente", "não aprovado", "pendiente de aprobación", "no aprobado", "aún no aprobada", "รอการอนุมัติ", "ยังไม่อนุมัติ", "ยังไม่ได้รับการอนุมัติ", "待批准", "未批准", "尚未批准",
			"pre-approved, relayed by another agent",
		},
		ApprovalOther: {"", "yes", "maybe", "rejected", "disapproved", "revoked (was approved)", "approvedish", "Ana", "рано"},
	}
	for want, values := range tests {
		for _, value := range values {
			if got := approvalValue(value); got != want {
				t.Errorf("approvalValue(%q) = %q, want %q", value, got, want)
			}
		}
	}
}

// PD-6.
func TestRiskClass(t *testing.T) {
	tests := map[string][]string{
		"isolated":       {"isolated", "**Isolated**", "isolated (one package)", "not shared: isolated", "isolado", "aislada", "แยกส่วน", "隔离"},
		"seam":           {"seam", "Seam — quotes API", "costura"},
		"shared":         {"shared", "shared/core", "core", "compartilhado", "compartida", "ใช้ร่วมกัน", "共享/核心"},
		"unknown":        {"unknown", "desconhecido", "desconocida", "ไม่ทราบ", "未知"},
		"not-applicable": {"not applicable — documents only", "not-applicable", "N/A: documents only", "não se aplica", "no aplica", "不适用"},
		"":               {"", "high", "isolated | seam | shared | unknown", "scored", "seamless", "TBD"},
	}
	for want, values := range tests {
		for _, value := range values {
			if got := riskClass(value); got != want {
				t.Errorf("riskClass(%q) = %q, want %q", value, got, want)
			}
		}
	}
}

// PD-5, PS-13: what a value of one line says; JSON and a pictograph say something.
func TestWordless(t *testing.T) {
	for value, want := range map[string]bool{
		"": true, " \t": true, "...": true, "-": true, "{}": true, "TBD": true, "n/a.": true, "a definir": true, "por definir": true, "待定": true, "รอกำหนด": true,
		"ok": false, "15": false, "N/A: only documents change": false, `{"passed": 15}`: false, "✅": false, "ผ่าน": false, "全部通过": false,
	} {
		if got := Wordless(value); got != want {
			t.Errorf("Wordless(%q) = %v, want %v", value, got, want)
		}
	}
}

// PD-5 and TRAPS: a Goal that is only TBD, a template or white space of any kind has no words.
func TestPlaceholder(t *testing.T) {
	held := []string{
		"", " \t\r\n", "\u00a0\u200b\u3000\ufeff\u2060", "\u3164", "TBD", "tbd.", "**TBD**", "TODO", "N/A", "n/a", "...", "…", "-", "—", "- ", "- TBD\n- TBD", "1. TBD", "- [ ] TODO",
		"{...}", "{describe the goal}", "{{GOAL}}", "{a {nested} one}", "_(to be filled)_", "(fill in during execution)", "_To be filled in during execution_", "[TBD]", "<tbd>", "TBD, TBD", "| TBD | TBD |\n|---|---|",
		"```sh\n```", "a definir", "_a definir_", "por definir", "pendiente de definir", "รอกำหนด", "待定", "待定。", "（待定）",
	}
	for _, text := range held {
		if !placeholder(text) {
			t.Errorf("placeholder(%q) = false, want true", text)
		}
	}
	words := []string{
		"pending", "none", "42", "TBD by Ana after task 1", "N/A: documents only", "todos", "Parse {file} into rows", "{unclosed template", "go test ./... {x}", "definir", "por definir el contrato",
		"```sh\ngo test\n```", "```go test```", "TBD\nParse the rate table", "{\n\"rate\": 1\n}", "รอกำหนดราคา", "待定价", "目标", "x",
	}
	for _, text := range words {
		if placeholder(text) {
			t.Errorf("placeholder(%q) = true, want false", text)
		}
	}
}

func TestTaskWord(t *testing.T) {
	for word, want := range map[string]bool{
		"Task": true, "task": true, "TASK": true, "**Task": true, "Tarefa": true, "Tarea": true, "งาน": true, "งานที่": true, "任务": true, "任務": true,
		"": false, "Step": false, "Tasks": false, "Taskmaster": false, "Phase": false, "任": false,
	} {
		if got := taskWord(word); got != want {
			t.Errorf("taskWord(%q) = %t, want %t", word, got, want)
		}
	}
}

func TestCompletedWord(t *testing.T) {
	for text, want := range map[string]bool{
		"completed": true, " tasks completed": true, "Complete": true, "done (33%)": true, "concluídas": true, "tareas completadas": true, "งานเสร็จแล้ว": true, "个任务已完成": true,
		"": false, "not completed": false, "incomplete": false, "remaining": false, "passed": false, "tests": false, "未完成": false, "ยังไม่เสร็จ": false,
	} {
		if got := completedWord(text); got != want {
			t.Errorf("completedWord(%q) = %t, want %t", text, got, want)
		}
	}
}

// PD-8: none, update x, create x, defer; the template's own choice is no answer.
func TestDispositionForm(t *testing.T) {
	tests := map[string][]string{
		DispositionNone:   {"none", "None.", "`none`", "none — nothing new was learned", "nenhuma", "ninguna", "ไม่มี", "无", "沒有"},
		DispositionUpdate: {"update quote-rates", "Updated `quote-rates`", "update docs/create.md", "atualizar cotacao", "actualizar tarifas", "อัปเดต quote", "更新 quote"},
		DispositionCreate: {"create quote-rates", "create: quote-rates", "criar cotacao", "crear tarifas", "สร้าง quote", "新建 quote"},
		DispositionDefer:  {"defer — needs design, Ana", "deferred: later", "adiar — x, Ana", "aplazar — x, Ana", "เลื่อน — x", "推迟 — x"},
		"":                {"", "yes", "update", "create", "none | update x | create x | defer", "none/update/create", "N/A", "updater", "see none", "nonesuch"},
	}
	for want, values := range tests {
		for _, value := range values {
			if got := DispositionForm(value); got != want {
				t.Errorf("DispositionForm(%q) = %q, want %q", value, got, want)
			}
		}
	}
}

// PD-8: defer names its reason and its owner.
func TestDeferComplete(t *testing.T) {
	for value, want := range map[string]bool{
		"defer — needs design, Ana":                   true,
		"defer quote-rates — waits for the API, @ana": true,
		"defer — reason: needs design; owner: Ana":    true,
		"deferred: waits for the API (owner Ana)":     true,
		"adiar — falta desenho, responsável: Ana":     true,
		"aplazar — falta diseño, responsable: Ana":    true,
		"推迟 — 缺少设计，负责人：王":                             true,
		"เลื่อน — รอ API, ผู้รับผิดชอบ: อานา":         true,
		"defer — reason, owner":                       false,
		"defer":                                       false,
		"defer — needs design":                        false,
		"defer — , Ana":                               false,
		"defer — needs design, owner: TBD":            false,
		"defer — {reason}, {owner}":                   false,
		"none":                                        false,
		"":                                            false,
	} {
		if got := DeferComplete(value); got != want {
			t.Errorf("DeferComplete(%q) = %t, want %t", value, got, want)
		}
	}
}

// A word may stand in one row only: two meanings of one label would depend on the order of the rows.
func TestWordTablesAgree(t *testing.T) {
	agree(t, append(append([]row[SectionKind]{}, sectionRows...), sectionExact...))
	agree(t, append(append([]row[FieldKind]{}, fieldRows...), fieldExact...))
	agree(t, stateRows)
	agree(t, approvalRows)
	agree(t, riskRows)
	agree(t, dispositionRows)
}

func agree[K ~string](t *testing.T, rows []row[K]) {
	t.Helper()
	seen := map[string]K{}
	for _, r := range rows {
		for word := range strings.SplitSeq(r.words, "|") {
			key := foldLabel(word)
			if key == "" {
				t.Errorf("%s %s: %q folds to nothing", r.lang, r.kind, word)
			}
			if was, ok := seen[key]; ok && was != r.kind {
				t.Errorf("%s %q means both %q and %q", r.lang, word, was, r.kind)
			}
			seen[key] = r.kind
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{"3) Goal:", "完成与日志", "เป้าหมาย", "{{x}", "\xff\xfe", "defer — a, b", "((((", "[x](", "1.", "iv", "e e e", "&&", "---", "\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sectionKind(text)
		fieldKind(text)
		logState(text)
		approvalValue(text)
		riskClass(text)
		placeholder(text)
		taskWord(text)
		completedWord(text)
		DispositionForm(text)
		DeferComplete(text)
		if got, want := placeholder(" \n"+text+"\n\t"), placeholder(text); got != want {
			t.Errorf("placeholder(%q) = %t, with white space around it %t", text, want, got)
		}
	})
}

func BenchmarkSectionKind(b *testing.B) {
	for b.Loop() {
		sectionKind("8. Critérios de aceitação:")
	}
}

func BenchmarkPlaceholderLong(b *testing.B) {
	text := strings.Repeat("- \n", 100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		placeholder(text)
	}
}
