package state

import "embed"

// published holds our JSON Schemas (draft 2020-12) of the layer, one per file and era. The decoder is what dwp uses; a test
// proves that both refuse the same documents. What a schema can't say is listed there.
//
//go:embed schemas/*.json
var published embed.FS

// Schema returns the JSON Schema of a kind, "manifest" or "state", in an era (PS-21). It is false for others.
func Schema(kind string, era Era) ([]byte, bool) {
	if SchemaURL(kind+".json", era) == "" {
		return nil, false
	}
	text, err := published.ReadFile("schemas/" + kind + "-" + string(era) + ".json")
	return text, err == nil
}
