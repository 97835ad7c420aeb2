//! Checks values against the schemas in `docs/schemas`: the part of JSON Schema that they use. A
//! keyword that is not known here fails, so that nothing is passed over.

use serde_json::Value;

/// Panics with the place and the cause if `value` is not what the schema of this name describes.
pub fn assert_valid(name: &str, value: &Value) {
    let path = format!("{}/../../docs/schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let root: Value = serde_json::from_str(&text).unwrap();
    if let Err(cause) = check(&root, &root, value) {
        panic!("{name}: {cause}\n{value:#}");
    }
}

pub fn is_valid(schema: &Value, value: &Value) -> bool {
    check(schema, schema, value).is_ok()
}

fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let rules = schema.as_object().ok_or("a schema is an object")?;
    for (keyword, rule) in rules {
        let fine = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let target = rule.as_str().and_then(|name| name.strip_prefix('#'));
                let target = target.and_then(|name| root.pointer(name)).ok_or("a broken $ref")?;
                check(root, target, value)?;
                true
            }
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "type" => match rule {
                Value::Array(types) => types.iter().any(|one| is(value, one)),
                one => is(value, one),
            },
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|v| v.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|v| v.len() as u64 <= rule.as_u64().unwrap()),
            "pattern" => {
                assert_eq!(
                    rule, "^(TRUE|FALSE\\(.+\\)|UNKNOWN\\(.+\\))$",
                    "the only known pattern"
                );
                value.as_str().is_none_or(is_verdict)
            }
            "required" => {
                let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                let missing: Vec<&str> = names.filter(|name| value.get(name).is_none()).collect();
                if !missing.is_empty() {
                    return Err(format!("without {missing:?}"));
                }
                true
            }
            "properties" => {
                for (name, inner) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        check(root, inner, member).map_err(|cause| format!("{name}: {cause}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(*rule, Value::Bool(false));
                let known = &rules["properties"];
                let members = value.as_object().into_iter().flat_map(|members| members.keys());
                let foreign: Vec<&String> =
                    members.filter(|name| known.get(name).is_none()).collect();
                if !foreign.is_empty() {
                    return Err(format!("not described: {foreign:?}"));
                }
                true
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item).map_err(|cause| format!("{index}: {cause}"))?;
                }
                true
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                for (item, inner) in items.zip(rule.as_array().unwrap()) {
                    check(root, inner, item)?;
                }
                true
            }
            "oneOf" => {
                let fits = |inner: &&Value| check(root, inner, value).is_ok();
                rule.as_array().unwrap().iter().filter(fits).count() == 1
            }
            unknown => panic!("the keyword {unknown} is not known to this test"),
        };
        if !fine {
            return Err(format!("{value} does not fit {keyword}: {rule}"));
        }
    }
    Ok(())
}

fn is(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is not known"),
    }
}

fn is_verdict(text: &str) -> bool {
    let inside = |start: &str| {
        text.starts_with(start) && text.ends_with(')') && text.len() > start.len() + 1
    };
    text == "TRUE" || inside("FALSE(") || inside("UNKNOWN(")
}
