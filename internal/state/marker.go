package state

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/deepworkplan/dwp/internal/strictjson"
)

// Marker is .finalizing.json: a publication that is under way, with all that recovery needs (VP-4).
type Marker struct {
	Doc             *strictjson.Document
	CandidateSHA256 string
	ArtifactsSHA256 string
	// Candidate and Previous are the texts of the state to be published and of the one before it.
	Candidate, Previous string
	// StartedAt becomes the receipt's time, so that every recovery ends in the same receipt. RFC 3339, UTC.
	StartedAt string
	Files     []FileDigest
}

// ReadMarker decodes a publication marker. A non-nil error is a *strictjson.SyntaxError. A marker whose texts don't have
// the digests it names is a fault: recovery never guesses (VP-4).
func ReadMarker(src []byte) (*Marker, []Fault, error) {
	doc, err := strictjson.Parse(src)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{}
	m := &Marker{Doc: doc}
	const shape = "publication/unfinished"
	ru := rules{missing: shape, kind: shape, value: shape}
	o := r.object(doc.Root, nil, ru)
	if o == nil {
		return m, r.faults, nil
	}
	m.CandidateSHA256 = o.digest("candidate_sha256")
	m.ArtifactsSHA256 = o.digest("artifacts_sha256")
	m.Candidate = o.content("candidate")
	m.Previous = o.content("previous")
	m.StartedAt = o.content("started_at")
	files := o.to("files")
	for i, v := range o.list("files", required) {
		if in := r.object(v, files.element(i), ru); in != nil {
			m.Files = append(m.Files, in.file())
		}
	}
	if len(r.faults) == 0 && Digest([]byte(m.Candidate)) != m.CandidateSHA256 {
		r.report(shape, doc.Root, o.to("candidate"), "", "does not have the digest that the marker names")
	}
	if len(r.faults) == 0 && ArtifactsDigest(m.Files) != m.ArtifactsSHA256 {
		r.report(shape, doc.Root, files, "", "do not have the digest that the marker names")
	}
	return m, r.faults, nil
}

// content reads a required string.
func (o *object) content(name string) string {
	if v := o.typed(name, required, strictjson.String, "a string"); v != nil {
		return v.Text
	}
	return ""
}

// Bytes is the marker as it is written.
func (m *Marker) Bytes() []byte {
	root := strictjson.NewObject()
	root.Set("candidate_sha256", strictjson.NewString(m.CandidateSHA256))
	root.Set("artifacts_sha256", strictjson.NewString(m.ArtifactsSHA256))
	root.Set("started_at", strictjson.NewString(m.StartedAt))
	root.Set("files", digestList(m.Files))
	root.Set("candidate", strictjson.NewString(m.Candidate))
	root.Set("previous", strictjson.NewString(m.Previous))
	return strictjson.Format(root)
}

// Receipt is what a completed publication leaves (VP-1).
func (m *Marker) Receipt() []byte {
	root := strictjson.NewObject()
	root.Set("result", strictjson.NewString("verified"))
	root.Set("verified_at", strictjson.NewString(m.StartedAt))
	root.Set("state_sha256", strictjson.NewString(m.CandidateSHA256))
	root.Set("artifacts_sha256", strictjson.NewString(m.ArtifactsSHA256))
	root.Set("files", digestList(m.Files))
	return strictjson.Format(root)
}

func digestList(files []FileDigest) *strictjson.Value {
	list := strictjson.NewArray()
	for _, f := range files {
		entry := strictjson.NewObject()
		entry.Set("path", strictjson.NewString(f.Path))
		entry.Set("sha256", strictjson.NewString(f.SHA256))
		if f.Length >= 0 {
			entry.Set("length", strictjson.NewInt(int(f.Length)))
		}
		list.Elems = append(list.Elems, entry)
	}
	return list
}

// Digest is a SHA-256 in lower-case hexadecimal.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// ArtifactsDigest sums the digests of the covered files up in one: the SHA-256 of a line "digest  length  path" for
// each, by path; the length is "-" where the whole file is covered.
func ArtifactsDigest(files []FileDigest) string {
	lines := make([]string, 0, len(files))
	for _, f := range files {
		length := "-"
		if f.Length >= 0 {
			length = fmt.Sprint(f.Length)
		}
		lines = append(lines, f.Path+"\x00"+f.SHA256+"  "+length+"  "+f.Path+"\n")
	}
	slices.Sort(lines)
	var b strings.Builder
	for _, line := range lines {
		_, text, _ := strings.Cut(line, "\x00")
		b.WriteString(text)
	}
	return Digest([]byte(b.String()))
}
