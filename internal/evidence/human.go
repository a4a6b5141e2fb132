package evidence

import (
	"strings"
	"sync"
	"unicode"
)

var humanMatcher = sync.OnceValue(func() *matcher { return compile(humanTopic()) })

// HumanGate reports whether a criterion names a person's approval, which only that person gives (UN-6), with the words that name it. It
// errs towards no: a criterion about what the product does with approvals is no gate, and one that is missed is still a box that somebody ticks.
func HumanGate(text string) (words string, ok bool) {
	m, ok := humanMatcher().find(text, never)
	return m.Text, ok
}

// properName reports whether a word is written as the name of a person is: "Ana", not "ana", "API" or "v2".
func properName(word string) bool {
	lower := false
	for i, r := range word {
		switch {
		case i == 0 && !unicode.IsUpper(r), unicode.IsDigit(r), r == '_', r == '.':
			return false
		case unicode.IsLower(r):
			lower = true
		}
	}
	return lower
}

// withArticles is a list of words, each alone and behind each article.
func withArticles(words string, articles ...string) string {
	list := words
	for _, article := range articles {
		list += "|" + article + "_" + strings.ReplaceAll(words, "|", "|"+article+"_")
	}
	return list
}

// humanTopic holds the ways a criterion names a person's approval. Every phrase is alone: behind words of the product ("when an order
// is approved by the manager") it tells what the software does.
func humanTopic() topic {
	return topic{
		phrases: humanPhrases,
		cues: map[string]string{
			"en": "approv*|sign*|confirm*|confirmation|accept*|acceptance|review*|agree*|ahead|consent*|check*|inspection|verif*",
			"pt": "aprov*|confirm*|aceit*|autoriz*|assin*|aval|revis*|valid*",
			"es": "aprob*|aprueb*|confirm*|acept*|autoriz*|autoric*|firm*|visto|revis*|valid*",
		},
		lists: map[string]string{
			// Whose approval a criterion asks for. Those in boss are seldom users of a product, those in person may be.
			"boss": "person|human|human_being|maintainer|maintainers|product_owner|project_owner|repository_owner|repo_owner|code_owner|code_owners|data_owner|service_owner|" +
				"plan_owner|project_lead|tech_lead|technical_lead|team_lead|design_lead|lead_developer|lead_engineer|release_manager|product_manager|project_manager|engineering_manager|" +
				"security_team|legal_team|design_team|compliance_team|compliance_officer|data_protection_officer|security_officer|stakeholder|stakeholders|developer|sponsor|cto|ceo|dpo|dba|legal|someone|somebody",
			"person": "owner|owners|lead|manager|user|customer|client|reviewer|team|operator|designer|architect|founder|director|editor|author|supervisor|engineer|people|users|clients|customers|developers|reviewers",
			"the":    "the|a|an|our|another|one|its|your|two",
			"work": "release|releases|deployment|deploy|rollout|cutover|migration|design|designs|plan|change|changes|result|results|copy|wording|text|texts|screenshots|merge|pull_request|pr|schema|" +
				"mapping|scope|mockup|mockups|prototype|contract|budget|document|documentation|draft|spec|specification|proposal|report|version|delivery|work|layout|list|content|translation|translations|it|this",
			"nod":   "approval|sign-off|signoff|go-ahead",
			"aux":   "has|have|must|should|shall|will|explicitly|personally|formally",
			"yes":   "approves|approve|approved|signs_off|sign_off|signed_off|confirms|confirm|confirmed|accepts|accept|accepted|agrees|agree|agreed",
			"given": "approved|signed_off|signed-off",
			// What an approval is a part of when it is a feature of the product.
			"thing": "queue|queues|flow|flows|workflow|workflows|step|steps|button|endpoint|page|pages|status|email|emails|screen|api|state|states|form|mode|dialog|process|rate|test|tests|rule|rules|" +
				"feature|table|record|records|request|requests|service|module|engine|code|log|logs|type|field|event|events|handler|list|view|tool|policy|system|token|logic|path",
			// What the user of a product confirms or accepts.
			"act": withArticles("dialog|dialogue|prompt|invitation|invite|licence|license|terms|cookies|email|e-mail|mail|message|booking|order|request|payment|purchase|transaction|identity|account|address|password|code|"+
				"deletion|offer|proposal|loan|expense|registration|subscription|login|friend|call|file|files|input", "the", "a", "an", "his", "her", "their", "its"),
			// What approves without being a person.
			"machine": "ci|cd|api|default|policy|rule|rules|automation|design|jenkins|github|gitlab|stripe|paypal|visa|mastercard|dependabot|renovate|sonar|sonarqube|snyk|codecov|kubernetes|gatekeeper|" +
				"kyverno|sentinel|terraform|eslint|prettier|docker|google|apple|microsoft|amazon|azure|system|server|service|script|gate|pipeline|workflow|backend|app|application|validator|linter|" +
				"user|admin|manager|customer|client|it|this|that|nobody|they|we|he|she|software|tool|program|scheduler|controller|engine|bank|gateway|middleware|handler|function|method|check|checks|test|tests|" +
				strings.ReplaceAll(strings.Join(agentNames, "|"), " ", "_"),

			"pt-the":    "o|a|os|as|um|uma",
			"pt-of":     "de|da|do|das|dos|pelo|pela|pelos|pelas|por|por_parte_do|por_parte_da|de_um|de_uma|por_um|por_uma|por_parte_de",
			"pt-boss":   "pessoa|humano|ser_humano|mantenedor|mantenedora|mantenedores|responsavel|dono_do_produto|dona_do_produto|product_owner|lider_tecnico|lider_do_projeto|gerente_de_produto|gerente_do_projeto|equipe_de_seguranca|equipe_juridica|juridico|desenvolvedor|desenvolvedora|stakeholder|stakeholders|alguem",
			"pt-person": "dono|dona|proprietario|proprietaria|cliente|usuario|equipe|time|gerente|lider|gestor|gestora|diretor|diretora|chefe|revisor|revisora",
			"pt-yes":    "aprova|aprovou|aprove|aprovar|confirma|confirmou|confirme|aceita|aceitou|aceite|autoriza|autorizou|autorize|assina|assinou",
			"pt-work":   "layout|desenho|plano|texto|textos|resultado|resultados|versao|versao_final|publicacao|migracao|mudanca|mudancas|proposta|escopo|documento|traducao|entrega",
			"pt-act":    withArticles("dialogo|convite|licenca|termos|cookies|email|e-mail|mensagem|reserva|pedido|pagamento|compra|identidade|conta|endereco|senha|codigo|exclusao|cadastro", "o", "a", "os", "um", "uma", "seu", "sua"),
			"pt-thing":  "fila|fluxo|botao|pagina|tela|status|endpoint|api",

			"es-the":    "el|la|los|las|un|una",
			"es-of":     "de|del|de_la|de_los|de_las|por|por_el|por_la|por_los|por_parte_del|por_parte_de|de_un|de_una|por_un|por_una",
			"es-boss":   "persona|humano|ser_humano|mantenedor|mantenedora|mantenedores|responsable|dueno_del_producto|duena_del_producto|product_owner|lider_tecnico|lider_del_proyecto|jefe_de_proyecto|jefa_de_proyecto|equipo_de_seguridad|equipo_legal|desarrollador|desarrolladora|stakeholder|stakeholders|alguien",
			"es-person": "dueno|duena|propietario|propietaria|cliente|usuario|equipo|gerente|lider|director|directora|jefe|jefa|revisor|revisora",
			"es-yes":    "aprueba|aprobo|apruebe|confirma|confirmo|confirme|acepta|acepto|acepte|autoriza|autorizo|autorice|firma|firmo",
			"es-work":   "diseno|plan|texto|textos|resultado|resultados|version|version_final|publicacion|migracion|cambio|cambios|propuesta|alcance|documento|traduccion|entrega",
			"es-act":    withArticles("dialogo|invitacion|licencia|terminos|cookies|correo|email|mensaje|reserva|pedido|pago|compra|identidad|cuenta|direccion|clave|codigo|borrado|registro", "el", "la", "los", "un", "una", "su"),
			"es-thing":  "cola|flujo|boton|pagina|pantalla|estado|endpoint|api",

			"th-boss":   "เจ้าของผลิตภัณฑ์|เจ้าของโครงการ|เจ้าของ|ผู้ดูแลโครงการ|ผู้ดูแล|หัวหน้าทีม|หัวหน้าโครงการ|ผู้จัดการโครงการ|ผู้จัดการผลิตภัณฑ์|มนุษย์|บุคคล|ผู้รับผิดชอบ|นักพัฒนา|ทีมความปลอดภัย|ฝ่ายกฎหมาย|ใครสักคน",
			"th-person": "คน|คุณ|ลูกค้า|ผู้ใช้|ผู้จัดการ|หัวหน้า|ทีม",
			"th-yes":    "อนุมัติ|เห็นชอบ|ยืนยัน|ลงนาม|รับรอง|ยอมรับ",
			"th-thing":  "คำขอ|รายการ|คำสั่งซื้อ|ตัวตน|อีเมล|การชำระเงิน|บัญชี",

			"zh-boss":   "负责人|負責人|维护者|維護者|产品经理|產品經理|项目经理|專案經理|产品负责人|技术负责人|真人|人类|人類|主管|法务|法務|安全团队|安全團隊|开发者|開發者|项目所有者|仓库所有者",
			"zh-person": "用户|用戶|客户|客戶|所有者|经理|經理|老板|人",
			"zh-yes":    "批准|核准|审批|審批|同意|签字|簽字|签核|簽核|认可|認可|验收|驗收|确认|確認",
			"zh-thing":  "队列|隊列|流程|页面|頁面|按钮|按鈕|接口|状态|狀態|功能|模块|模組|收货|收貨|订单|訂單|付款|对话框|對話框|邀请|邀請|申请|申請|身份",
		},
		before: []string{"no", "not", "without", "without_a", "without_any", "never", "nor", "needs_no", "sem", "sem_a", "nao", "nenhuma", "sin", "sin_la", "ninguna", "ไม่ต้อง", "ไม่มี", "ไม่ต้องมี", "ไม่", "无需", "無需", "不需要", "不需", "没有", "沒有", "不用", "无", "免"},
		after: []string{"not_needed", "not_required", "is_not_needed", "is_not_required", "isn't_needed", "isn't_required", "was_not_needed", "is_optional", "nao_e_necessaria", "nao_necessaria",
			"no_es_necesaria", "no_necesaria"},
		// Words of the product. What stands behind them in a clause tells what the software does.
		claims: []string{"when", "if", "returns", "return", "shows", "displays", "rejects", "endpoint", "api", "button", "page", "screen", "column", "field", "status", "test", "tests", "invoice", "invoices", "order", "orders",
			"payment", "payments", "transaction", "transactions", "loan", "loans", "booking", "bookings", "expense", "expenses", "refund", "refunds", "comment", "comments", "parser", "parses", "query", "lists", "stores",
			"message", "emails", "handler", "unless", "quando", "retorna", "mostra", "pedido", "pedidos", "pagamento", "fatura", "teste", "testes", "cuando", "devuelve", "muestra", "pago", "factura", "prueba", "pruebas"},
	}
}
