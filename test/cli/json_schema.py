"""Validates a JSON file with a JSON schema: json_schema.py SCHEMA FILE. Knows the words that our schemas use, and of
those all; a schema with another word is an error. Stricter than the standard: a member that the schema does not name is
an error."""
import json, re, sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
         "null": type(None)}
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def check(value, schema, root, path):
    def fail(problem):
        sys.exit(f"{path}: {problem}")

    for word, wanted in schema.items():
        if word == "$ref":
            check(value, root["$defs"][wanted.removeprefix("#/$defs/")], root, path)
        elif word == "type":
            names = wanted if isinstance(wanted, list) else [wanted]
            if not any(is_type(value, name) for name in names):
                fail(f"{str(value)[:40]} is no {' or '.join(names)}")
        elif word == "const":
            if value != wanted:
                fail(f"{value} is not {wanted}")
        elif word == "minimum":
            if value is not None and value < wanted:
                fail(f"{value} is less than {wanted}")
        elif word == "maximum":
            if value is not None and value > wanted:
                fail(f"{value} is more than {wanted}")
        elif word == "pattern":
            if not re.search(wanted, value):
                fail(f"{value} does not match {wanted}")
        elif word == "minItems":
            if len(value) < wanted:
                fail(f"{len(value)} items")
        elif word == "maxItems":
            if len(value) > wanted:
                fail(f"{len(value)} items")
        elif word == "required":
            for name in wanted:
                if name not in value:
                    fail(f"lacks {name}")
        elif word == "properties":
            for name, member in value.items():
                if name not in wanted:
                    fail(f"{name} is not in the schema")
                check(member, wanted[name], root, f"{path}.{name}")
        elif word == "items":
            for i, item in enumerate(value):
                check(item, wanted, root, f"{path}[{i}]")
        elif word not in ANNOTATIONS:
            sys.exit(f"the schema has the word {word}, which this program does not know")


schema = json.load(open(sys.argv[1]))
check(json.load(open(sys.argv[2])), schema, schema, "report")
