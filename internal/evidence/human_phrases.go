package evidence

// humanPhrases are the phrases of HumanGate. In "@" a name stands.
var humanPhrases = []phrase{
	{
		"<given> ~ by <the> <boss>|<person>", "en", alone,
		[]string{"the wording is approved by the owner", "Approved by a maintainer", "Signed off by the product owner"},
		[]string{"approved by the API", "when the order is approved by the manager", "an invoice approved by a manager is listed"},
	},
	{
		"<given> by !<machine> <boss>|@", "en", alone,
		[]string{"Approved by Ana", "the release notes are approved by **Ana Souza**", "signed off by legal"},
		[]string{"approved by CI", "requests approved by default", "approved by Claude", "approved by Dependabot", "the label \"Approved by Ana\" is shown"},
	},
	{
		"<nod> ~ from|by|of <the> <boss>|<person>", "en", alone,
		[]string{"Sign-off from the owner", "written approval of the customer", "approval by a human", "the go-ahead from the team lead"},
		[]string{"approval of the request", "approval by the service", "sign-off from the job"},
	},
	{
		"<nod> from|by|of !<machine> <boss>|@", "en", alone,
		[]string{"sign-off from Ana", "approval from stakeholders", "approval by Mill is in the log"},
		[]string{"approval from CI", "approval by GitHub", "approval from upstream"},
	},
	{
		"manual|human|explicit|written|personal qa? <nod> !<thing>", "en", alone,
		[]string{"Manual approval", "needs a human sign-off", "explicit approval before the rollout"},
		[]string{"manual approval queue", "no manual approval is needed", "manual approval is not required", "the page shows manual approval", "human approval workflow implemented", "explicit consent is stored with its date"},
	},
	{
		"<boss> <nod>|acceptance !<thing>", "en", alone,
		[]string{"maintainer approval", "product owner sign-off", "Stakeholder acceptance"},
		[]string{"maintainer approval rules", "without maintainer approval"},
	},
	{
		"owner's|owners'|maintainer's|user's|client's|customer's|lead's|manager's|person's <nod> !<thing>", "en", alone,
		[]string{"The owner's approval is in the log", "the maintainer\u2019s sign-off"},
		[]string{"the user's approval page", "the owner's name"},
	},
	{
		"human|person|maintainer|product_owner <aux>? reviewed|reviews|review|checks|checked|read|reads ~ and approves|approved|approve|confirms|confirmed|accepts|accepted|signed_off|signs_off", "en", alone,
		[]string{"A human has reviewed and approved the copy", "the maintainer reads the list and confirms it"},
		[]string{"the server reviewed and approved it"},
	},
	{
		"human|manual review|inspection|check|verification by <the>? !<machine> <boss>|<person>|@", "en", alone,
		[]string{"human review by Ana", "manual review by the security team", "human check by a designer"},
		[]string{"manual review by API", "code review comment parser", "human review log written"},
	},
	{
		"reviewed|accepted|confirmed|checked|verified by <the>? human|person|maintainer|maintainers|product_owner|stakeholder|stakeholders|security_team|legal_team|tech_lead", "en", alone,
		[]string{"reviewed by a human", "confirmed by the maintainer", "accepted by the product owner"},
		[]string{"confirmed by the server", "reviewed by the linter"},
	},
	{
		"<boss> <aux>? <aux>? <yes> !<act>", "en", alone,
		[]string{"the maintainer confirms", "a person approves the plan", "product owner accepts the result", "The security team has signed off"},
		[]string{"the API approves the request", "the server confirms", "the page shows that a person approves", "a person accepts the invitation", "the developer confirms the dialog"},
	},
	{
		"owner|owners|lead|manager|client|customer|reviewer|user|team|designer|architect|founder|director <aux>? <aux>? <yes> ~ <work>", "en", alone,
		[]string{"the owner approves the release", "the user confirms the design", "The client has accepted the final copy"},
		[]string{"the user confirms the dialog", "the customer accepts the terms", "the manager approves the expense"},
	},
	{
		"^ !<machine> @ <aux>? signs_off|signed_off", "en", alone,
		[]string{"Ada signs off", "Mira has signed off on the copy"},
		[]string{"System signs off", "Claude signed off", "the page shows that Ada signs off"},
	},
	{
		"^ !<machine> @ <aux>? approves|approved|signs_off|signed_off <the>? final|new|finished? <work>", "en", alone,
		[]string{"Mira approves the final copy", "Ana signs off the release"},
		[]string{"System approves the release", "Gate approved the merge", "Claude approves the plan", "Ana approves loans"},
	},
	{
		"^ !<machine> @ must|should|shall|has_to|needs_to approve|sign_off <the>? final|new|finished? <work>", "en", alone,
		[]string{"Ada must approve the layout before release", "Ana has to sign off the final copy"},
		[]string{"System must approve the release", "Claude has to approve the plan", "Ana must approve loans", "Users must approve the page"},
	},
	{
		"human review|inspection completed|done|passed|finished", "en", alone,
		[]string{"Human review completed", "the human inspection passed"},
		[]string{"no human review completed", "the page shows human review completed", "human review log completed"},
	},

	{
		"aprovado|aprovada|aprovados|aprovadas|autorizado|autorizada|assinado|assinada <pt-of> <pt-the>? <pt-boss>|<pt-person>|@", "pt", alone,
		[]string{"aprovado por Ana", "Texto aprovado pela dona do produto", "aprovada pelo cliente"},
		[]string{"aprovado pelo servidor", "aprovado por padrão", "quando o pedido é aprovado pelo gerente"},
	},
	{
		"aprovação|aval|autorização|aceite <pt-of> <pt-the>? <pt-boss>|<pt-person>|@", "pt", alone,
		[]string{"aprovação do responsável", "aval da Ana", "autorização do cliente"},
		[]string{"aprovação do pedido", "autorização do token"},
	},
	{
		"aprovação|aceitação|validação humana|manual|explícita|expressa|por_escrito|pessoal !<pt-thing>", "pt", alone,
		[]string{"aprovação humana", "aprovação manual antes da publicação", "Aprovação explícita"},
		[]string{"sem aprovação humana", "fluxo de aprovação", "a página mostra aprovação"},
	},
	{
		"<pt-boss> <pt-yes> !<pt-act>", "pt", alone,
		[]string{"uma pessoa aprova o texto", "o mantenedor confirma", "a dona do produto aceita"},
		[]string{"a API aprova o pedido", "o servidor confirma", "o desenvolvedor confirma o e-mail"},
	},
	{
		"dono|dona|proprietário|proprietária|cliente|usuário|equipe|gerente|líder <pt-yes> o|a|os|as <pt-work>", "pt", alone,
		[]string{"o usuário aprova o layout", "A cliente aprovou os textos"},
		[]string{"o usuário confirma o pedido", "o cliente aceita os termos"},
	},
	{
		"revisão|revisado|revisada humana|manual|humano? <pt-of> <pt-the>? pessoa|humano|mantenedor|mantenedora|responsável|equipe_de_segurança", "pt", alone,
		[]string{"revisão humana por uma pessoa", "revisado por um humano", "revisão da equipe de segurança"},
		[]string{"revisão do código", "revisado pelo linter"},
	},

	{
		"aprobado|aprobada|aprobados|aprobadas|autorizado|autorizada|firmado|firmada <es-of> <es-the>? <es-boss>|<es-person>|@", "es", alone,
		[]string{"aprobado por Ana", "Texto aprobado por la dueña del producto", "aprobada por el cliente"},
		[]string{"aprobado por el servidor", "aprobado por defecto", "cuando el pedido es aprobado por el gerente"},
	},
	{
		"aprobación|visto_bueno|autorización <es-of> <es-the>? <es-boss>|<es-person>|@", "es", alone,
		[]string{"aprobación del responsable", "visto bueno de Ana", "autorización de la dueña"},
		[]string{"aprobación del pedido", "autorización del token"},
	},
	{
		"aprobación|aceptación|validación humana|manual|explícita|expresa|por_escrito|personal !<es-thing>", "es", alone,
		[]string{"aprobación humana", "aprobación manual antes de publicar", "Aprobación explícita"},
		[]string{"sin aprobación humana", "flujo de aprobación", "la página muestra aprobación"},
	},
	{
		"<es-boss> <es-yes> !<es-act>", "es", alone,
		[]string{"una persona aprueba el texto", "el mantenedor confirma", "la dueña del producto acepta"},
		[]string{"la API aprueba el pedido", "el servidor confirma", "una persona acepta la invitación"},
	},
	{
		"dueño|dueña|propietario|propietaria|cliente|usuario|equipo|gerente|líder|jefe|jefa <es-yes> el|la|los|las <es-work>", "es", alone,
		[]string{"El cliente aprueba el diseño", "la dueña aprobó los textos"},
		[]string{"el usuario confirma el pedido", "el cliente acepta los términos"},
	},
	{
		"revisión|revisado|revisada humana|manual|humano? <es-of> <es-the>? persona|humano|mantenedor|mantenedora|responsable|equipo_de_seguridad", "es", alone,
		[]string{"revisión humana por una persona", "revisado por un humano", "revisión del equipo de seguridad"},
		[]string{"revisión del código", "revisado por el linter"},
	},

	{
		"อนุมัติ|เห็นชอบ|ยืนยัน|ลงนาม|รับรอง|ตรวจสอบ|ตรวจทาน แล้ว? โดย|จาก <th-boss>|<th-person>", "th", alone,
		[]string{"อนุมัติโดยเจ้าของผลิตภัณฑ์", "ได้รับการอนุมัติจากลูกค้า", "ตรวจสอบโดยมนุษย์"},
		[]string{"อนุมัติโดยระบบ", "ตรวจสอบโดยสคริปต์", "ไม่ต้องอนุมัติโดยมนุษย์"},
	},
	{
		"<th-boss> ต้อง? ได้? <th-yes> !<th-thing>", "th", alone,
		[]string{"เจ้าของผลิตภัณฑ์อนุมัติ", "ผู้ดูแลยืนยันผลลัพธ์", "มนุษย์ต้องอนุมัติ"},
		[]string{"ระบบอนุมัติคำขอ", "เจ้าของอนุมัติคำขอ"},
	},

	{
		"经|經|由|需|须|須|得到|获得|獲得|取得|等待|经过|經過|得到了 <zh-boss>|<zh-person> 的? <zh-yes> !<zh-thing>", "zh", alone,
		[]string{"经用户批准", "由产品经理审批", "获得负责人的同意"},
		[]string{"经系统批准", "由脚本确认"},
	},
	{
		"<zh-boss> 已? <zh-yes> !<zh-thing>", "zh", alone,
		[]string{"维护者确认", "产品负责人验收", "负责人已批准"},
		[]string{"系统批准请求", "负责人审批流程", "负责人确认收货"},
	},
	{
		"人工|手动|手動|书面|書面 批准|审批|審批|核准|审核|審核|确认|確認|同意 !<zh-thing>", "zh", alone,
		[]string{"人工批准", "需要人工审核", "书面同意"},
		[]string{"人工审核队列", "无需人工批准"},
	},
}
