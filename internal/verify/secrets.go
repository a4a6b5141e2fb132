package verify

import (
	"github.com/deepworkplan/dwp/internal/evidence"
	"github.com/deepworkplan/dwp/internal/planmd"
	"github.com/deepworkplan/dwp/internal/rule"
	"github.com/deepworkplan/dwp/internal/state"
	"github.com/deepworkplan/dwp/internal/strictjson"
)

const secretHint = "remove it here and revoke it; it may have been copied"

// checkSecretsManifest: manifest.json never holds a secret (PS-7, C161). The text itself is never shown.
func checkSecretsManifest(c *checker) { c.jsonSecrets(state.ManifestFile, c.s.Manifest.Doc) }

// checkSecretsState: nor does state.json (PS-7, C161).
func checkSecretsState(c *checker) { c.jsonSecrets(state.StateFile, c.s.State.Doc) }

func (c *checker) jsonSecrets(file string, doc *strictjson.Document) {
	if doc == nil {
		return
	}
	f := c.s.Files[file]
	if f == nil {
		return
	}
	for _, secret := range evidence.Secrets(string(f.Data)) {
		line, column := doc.Position(secret.Start)
		c.add("secret/json", rule.Place{File: file, Line: line, Column: column}, "what looks like a secret: "+secret.Kind, secretHint)
	}
}

// checkCreator: created_by is a display name at most (PS-7).
func checkCreator(c *checker) {
	if a := c.s.Manifest.CreatedBy; a != nil {
		c.actor("created_by", a, c.inManifest(a.Node))
	}
}

// checkUpdater: so is updated_by (PS-7).
func checkUpdater(c *checker) {
	if a := c.s.State.UpdatedBy; a != nil {
		c.actor("updated_by", a, c.inState(a.Node, 0))
	}
}

// actor checks the names in one of these fields.
func (c *checker) actor(field string, a *state.Actor, at rule.Place) {
	for _, name := range []string{a.Agent, a.Model} {
		if _, ok := evidence.Personal(name); ok {
			c.add("secret/personal", at, field+" holds an e-mail address or a phone number", "write the display name of agent and model")
		}
	}
}

// checkSecretsText: documents hold none either; that is advice, since .dwp is not committed (AG-5).
func checkSecretsText(c *checker) {
	for _, d := range c.documents() {
		for _, secret := range evidence.Secrets(string(d.doc.Src)) {
			at := docPlace(d.path, d.doc, planmd.Span{Start: secret.Start, End: secret.End}, 0)
			c.add("secret/markdown", at, "what looks like a secret: "+secret.Kind, secretHint)
		}
	}
}
