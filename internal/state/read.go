package state

import "github.com/deepworkplan/dwp/internal/strictjson"

// ReadManifest decodes a manifest.json. A non-nil error is a *strictjson.SyntaxError: nothing was decoded.
// With an unknown or missing schema URL only Doc, Era and Schema are set (PS-22). The faults are all there are, in
// file order of the objects they were found in.
func ReadManifest(src []byte) (*Manifest, []Fault, error) {
	doc, err := strictjson.Parse(src)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{}
	m := &Manifest{Doc: doc}
	if m.Schema, m.Era = r.era(doc.Root, ManifestFile); m.Era != Unknown {
		r.manifest(m)
	}
	return m, r.faults, nil
}

// ReadState decodes a state.json, as ReadManifest does.
func ReadState(src []byte) (*State, []Fault, error) {
	doc, err := strictjson.Parse(src)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{}
	s := &State{Doc: doc}
	if s.Schema, s.Era = r.era(doc.Root, StateFile); s.Era != Unknown {
		r.state(s)
	}
	return s, r.faults, nil
}

// ReadReceipt decodes a publication receipt (VP-1). Other helpers of the standard write receipts with fewer
// members, and with members of their own: those are no faults.
func ReadReceipt(src []byte) (*Receipt, []Fault, error) {
	doc, err := strictjson.Parse(src)
	if err != nil {
		return nil, nil, err
	}
	r := &reader{}
	receipt := &Receipt{Doc: doc}
	r.receipt(receipt)
	return receipt, r.faults, nil
}
