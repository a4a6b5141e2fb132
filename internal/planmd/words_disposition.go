package planmd

import "strings"

// The forms of a skills disposition (PD-8).
const (
	DispositionNone   = "none"
	DispositionUpdate = "update"
	DispositionCreate = "create"
	DispositionDefer  = "defer"
)

// dispositionRows are the words a disposition begins with. Past forms count: a log is written when the work is done.
var dispositionRows = []row[string]{
	{DispositionNone, "en", "none|no change|no changes|nothing|no skill|no skills|no skill change|no update"},
	{DispositionUpdate, "en", "update|updated|updates|improve|improved"},
	{DispositionCreate, "en", "create|created|creates|add|added|new"},
	{DispositionDefer, "en", "defer|deferred|defers|postpone|postponed"},
	{DispositionNone, "pt", "nenhum|nenhuma|nada|sem mudanças|sem alterações"},
	{DispositionUpdate, "pt", "atualizar|atualizado|atualizada|atualiza|atualização de|atualizei"},
	{DispositionCreate, "pt", "criar|criado|criada|cria|nova|novo"},
	{DispositionDefer, "pt", "adiar|adiado|adiada|postergar|postergado|diferir|diferido"},
	{DispositionNone, "es", "ninguno|ninguna|nada|sin cambios"},
	{DispositionUpdate, "es", "actualizar|actualizado|actualizada|actualiza|actualización de"},
	{DispositionCreate, "es", "crear|creado|creada|crea|nueva|nuevo"},
	{DispositionDefer, "es", "aplazar|aplazado|aplazada|diferir|diferido|diferida|posponer|pospuesto|postergar|postergado"},
	{DispositionNone, "th", "ไม่มี|ไม่มีการเปลี่ยนแปลง"},
	{DispositionUpdate, "th", "อัปเดต|อัพเดต|ปรับปรุง"},
	{DispositionCreate, "th", "สร้าง|เพิ่ม"},
	{DispositionDefer, "th", "เลื่อน|เลื่อนออกไป|ชะลอ"},
	{DispositionNone, "zh", "无|無|没有|沒有|无变化|無變化|无需更改"},
	{DispositionUpdate, "zh", "更新|已更新|修改"},
	{DispositionCreate, "zh", "创建|創建|新建|新增|已创建|已創建|建立"},
	{DispositionDefer, "zh", "推迟|推遲|延期|延后|延後|暂缓|暫緩|已推迟|已推遲"},
}

// ownerRows are the words that introduce the owner of a deferred skill.
var ownerRows = []row[string]{
	{"owner", "en", "owner|owned by|assigned to"},
	{"owner", "pt", "responsável|dono|dona"},
	{"owner", "es", "responsable|dueño|dueña|a cargo de"},
	{"owner", "th", "ผู้รับผิดชอบ|เจ้าของ"},
	{"owner", "zh", "负责人|負責人|所有者"},
}

// DispositionForm reads the value of a skills disposition line as one of the Disposition
// constants (PD-8), or "" for another text. "update" and "create" must name what; a
// value that still lists several forms is the template's choice, not an answer.
func DispositionForm(value string) string {
	text := foldValue(value)
	hit, ok := dispositions.start(text)
	if !ok || choice(text[hit.end:], hit.kind) {
		return ""
	}
	named := strings.ContainsFunc(text[hit.end:], wordRune)
	if !named && (hit.kind == DispositionUpdate || hit.kind == DispositionCreate) {
		return ""
	}
	return hit.kind
}

// Undecided reports whether the value of a disposition or decision line decides nothing yet (PD-8): a placeholder, a
// word for pending alone, the template's choice of several forms, or a bare "defer".
func Undecided(value string) bool {
	if placeholder(value) {
		return true
	}
	text := foldValue(value)
	if state, ok := states.start(text); ok && state.kind == LogPending && !strings.ContainsFunc(text[state.end:], wordRune) {
		return true
	}
	hit, ok := dispositions.start(text)
	if !ok {
		return false
	}
	return choice(text[hit.end:], hit.kind) || hit.kind == DispositionDefer && !strings.ContainsFunc(text[hit.end:], wordRune)
}

// choice reports whether what follows a form offers another one: "none | update x", "none/update". A
// path ("update docs/create.md") offers nothing.
func choice(rest, form string) bool {
	if strings.HasPrefix(rest, "/") {
		rest = "|" + rest[1:]
	}
	parts := strings.Split(strings.ReplaceAll(rest, " / ", "|"), "|")
	for _, part := range parts[1:] {
		if other, ok := dispositions.start(part); ok && other.kind != form {
			return true
		}
	}
	return false
}

// DeferComplete reports whether a deferred disposition has its reason and its owner (PD-8): "defer — reason,
// owner", in words ("owner: Ana") or as two parts. The template's own words are neither.
func DeferComplete(value string) bool {
	text := foldValue(value)
	hit, ok := dispositions.start(text)
	if !ok || hit.kind != DispositionDefer {
		return false
	}
	rest := text[hit.end:]
	if found := owners.all(rest); len(found) > 0 {
		last := found[len(found)-1]
		return stated(rest[:last.start]) && stated(rest[last.end:])
	}
	if _, after, ok := strings.Cut(rest, "—"); ok && strings.Contains(after, ",") {
		rest = after
	}
	cut := strings.LastIndexAny(rest, ",;、")
	if cut < 0 {
		cut = strings.LastIndex(rest, " @")
	}
	return cut >= 0 && stated(rest[:cut]) && stated(rest[cut:])
}

// stated reports whether a part says something: words that are neither a placeholder nor the label "reason".
func stated(part string) bool {
	part = strings.Trim(part, " —-,;:.()[]、@")
	if _, after, ok := strings.Cut(part, ":"); ok && fieldKind(part) == FieldReason {
		part = after
	}
	return fieldKind(part) != FieldReason && !placeholder(part)
}
