package planmd

// The authorities of an amendment (AM-1).
const (
	AuthorityUser      = "user"
	AuthorityDeveloper = "developer"
	AuthorityEvidence  = "evidence"
)

// authorityAgent is none of them: an agent's own word allows nothing (UN-6).
const authorityAgent = "agent"

// authorityRows name who may allow a change. A role of another name, "maintainer", is none of the three.
var authorityRows = []row[string]{
	{AuthorityUser, "en", "user|users"},
	{AuthorityDeveloper, "en", "developer|developers"},
	{AuthorityEvidence, "en", "evidence"},
	{authorityAgent, "en", "agent|assistant|model|relayed|on behalf of"},
	{AuthorityUser, "pt", "usuário|usuária|utilizador|utilizadora"},
	{AuthorityDeveloper, "pt", "desenvolvedor|desenvolvedora|programador|programadora"},
	{AuthorityEvidence, "pt", "evidência|evidências|prova"},
	{authorityAgent, "pt", "agente|assistente|modelo|retransmitido|em nome de"},
	{AuthorityUser, "es", "usuario|usuaria"},
	{AuthorityDeveloper, "es", "desarrollador|desarrolladora|programador|programadora"},
	{AuthorityEvidence, "es", "evidencia|evidencias|prueba"},
	{authorityAgent, "es", "agente|asistente|modelo|retransmitido|en nombre de"},
	{AuthorityUser, "th", "ผู้ใช้|ผู้ใช้งาน"},
	{AuthorityDeveloper, "th", "นักพัฒนา|ผู้พัฒนา"},
	{AuthorityEvidence, "th", "หลักฐาน"},
	{authorityAgent, "th", "เอเจนต์|ตัวแทน"},
	{AuthorityUser, "zh", "用户|用戶|使用者"},
	{AuthorityDeveloper, "zh", "开发者|開發者|开发人员|開發人員"},
	{AuthorityEvidence, "zh", "证据|證據"},
	{authorityAgent, "zh", "代理|智能体|智能體|转达|轉達"},
}

// Authority reads the authority of an amendment as one of the Authority constants, "" for another. A name may stand
// before it, "Ana (user)". What an agent says for itself, or passes on, has no authority (UN-6).
func Authority(value string) string {
	found := ""
	for _, hit := range authorities.all(foldValue(value)) {
		switch {
		case hit.kind == authorityAgent || hit.mood == denied:
			return ""
		case found == "":
			found = hit.kind
		}
	}
	return found
}

// Deferral reports whether the disposition of an amendment defers its requirement (AM-2).
func Deferral(disposition string) bool {
	for _, hit := range dispositions.all(foldValue(disposition)) {
		if hit.kind == DispositionDefer && hit.mood == plain {
			return true
		}
	}
	return false
}
