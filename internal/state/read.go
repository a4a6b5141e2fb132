package state

// ReadManifest decodes a manifest.json. A non-nil error is a *strictjson.SyntaxError: nothing was decoded.
// With an unknown or missing schema URL only Doc, Era and Schema are set (PS-22).
func ReadManifest(src []byte) (*Manifest, []Fault, error) { return nil, nil, nil }

// ReadState decodes a state.json, as ReadManifest does.
func ReadState(src []byte) (*State, []Fault, error) { return nil, nil, nil }

// ReadReceipt decodes a publication receipt (VP-1).
func ReadReceipt(src []byte) (*Receipt, []Fault, error) { return nil, nil, nil }
