package state

import (
	"io/fs"
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// receipt decodes a publication receipt (VP-1, VP-5); c has Doc.
func (r *reader) receipt(c *Receipt) {
	const shape = "receipt/shape"
	ru := rules{missing: shape, kind: shape, value: shape}
	o := r.object(c.Doc.Root, nil, ru)
	if o == nil {
		return
	}
	c.StateSHA256 = o.digest("state_sha256")
	c.ArtifactsSHA256 = o.digest("artifacts_sha256")
	c.Result = o.choice("result", required, "verified")
	files := o.to("files")
	for i, v := range o.list("files", optional) {
		if in := r.object(v, files.element(i), ru); in != nil {
			c.Files = append(c.Files, in.file())
		}
	}
}

// file decodes the digest of one covered file.
func (o *object) file() FileDigest {
	d := FileDigest{Path: o.inside("path"), SHA256: o.digest("sha256"), Length: -1, Node: o.node}
	const most = 1 << 53 // what every reader of JSON holds exactly
	if length, found := o.integer("length", optional, 0, most); found {
		d.Length = length
	}
	return d
}

// digest reads a sha256: 64 lower-case hexadecimal digits.
func (o *object) digest(name string) string {
	v := o.typed(name, required, strictjson.String, "a string of 64 hexadecimal digits")
	if v == nil {
		return ""
	}
	if len(v.Text) != 64 || !isHex(v.Text) || strings.ToLower(v.Text) != v.Text {
		o.r.report(o.rules.value, v, o.to(name), "", "is %q; it must be 64 lower-case hexadecimal digits", shorten(v.Text))
	}
	return v.Text
}

// inside reads a slash path that stays inside the plan folder. Any other is not returned: nothing is to be opened by it.
func (o *object) inside(name string) string {
	v := o.typed(name, required, strictjson.String, "a string")
	if v == nil {
		return ""
	}
	if !fs.ValidPath(v.Text) || v.Text == "." || strings.Contains(v.Text, "\x00") {
		o.r.report(o.rules.value, v, o.to(name), "", "is %q, which is no path inside the plan folder", shorten(v.Text))
		return ""
	}
	return v.Text
}
