import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import { Patterns } from '../definition/schema-check.ts';
import {
  type ImportNotes,
  isSchemaReference,
  type Located,
  type OpenApiDocument,
  pointerPartsOf,
  within,
} from './document.ts';
import {
  ASSERTIONS,
  annotationsOf,
  isBeyondSafeIntegers,
  isValidArgument,
  orNull,
  UNKNOWN_ASSERTIONS,
  withNumericBounds,
} from './keywords.ts';
import { asList, asObject, type JsonObject, own, uniqueName } from './values.ts';

/** A definition allows 64, including values in schemas. */
const MAX_DEPTH = 40;
const MAX_NAME = 200;
const MAX_ALL_OF = 20;
/** Fewer than a definition may have. */
const MAX_PATTERN_CHARACTERS = 40_000;

/** A result may accept more than the document, never less: the API validates the call. */
export class SchemaImporter {
  /** By the name in `#/schemas/NAME`. */
  readonly shared = new Map<string, JsonSchema>();
  private readonly names = new Map<string, string>();
  private readonly usedNames = new Set<string>();
  private readonly patterns = new Patterns(MAX_PATTERN_CHARACTERS);
  private readonly waiting: (Located & { name: string })[] = [];
  private readonly document: OpenApiDocument;
  private readonly notes: ImportNotes;
  private droppedConstraints = 0;

  constructor(document: OpenApiDocument, notes: ImportNotes) {
    this.document = document;
    this.notes = notes;
  }

  import(schema: unknown, at: string): JsonSchema {
    const imported = this.schemaOf(schema, at, 1);
    // A queue, so that long chains of references do not overflow the stack.
    for (let next = this.waiting.pop(); next; next = this.waiting.pop()) {
      this.shared.set(next.name, this.schemaOf(next.value, next.at, 1));
    }
    return imported;
  }

  private schemaOf(schema: unknown, at: string, depth: number): JsonSchema {
    if (schema === true) return {};
    if (schema === false) return { not: {} };
    if (!isObject(schema)) return this.anything(at, 'is not a schema; anything is taken');
    if (depth > MAX_DEPTH) return this.anything(at, 'is nested too deep; anything is taken below');
    const reference = isSchemaReference(schema) ? this.reference(schema.$ref, at) : {};
    const described = { ...reference, ...annotationsOf(schema) };
    if (isSchemaReference(schema) && !this.document.keepsRefSiblings) {
      return schema.nullable === true ? orNull(described) : described;
    }
    const assertions = { ...described, ...this.assertionsOf(schema, at) };
    // `nullable` may add two levels.
    if (schema.nullable === true) return orNull({ ...assertions, ...this.partsOf(schema, at, depth + 2) });
    return { ...assertions, ...this.partsOf(schema, at, depth) };
  }

  private anything(at: string, message: string): JsonSchema {
    this.dropConstraint(at, message);
    return {};
  }

  private dropConstraint(at: string, message: string): void {
    this.droppedConstraints++;
    this.notes.add(at, message);
  }

  private reference(reference: string, at: string): JsonSchema {
    const target = this.document.follow(reference, at);
    let name = this.names.get(target.at);
    if (name === undefined) {
      name = uniqueName(nameOf(target.at), this.usedNames, MAX_NAME);
      this.names.set(target.at, name);
      this.waiting.push({ ...target, name });
    }
    return { $ref: `#/schemas/${name}` };
  }

  private assertionsOf(original: JsonObject, at: string): JsonSchema {
    const schema = withNumericBounds(original);
    const constraints: JsonSchema = {};
    if (schema.type !== undefined) {
      const shown = JSON.stringify(schema.type)?.slice(0, 60);
      if (isValidArgument('type', schema.type)) constraints.type = schema.type;
      else this.dropConstraint(at, `has the type ${shown}, which is none; any is taken`);
    }
    for (const keyword of ASSERTIONS) {
      const value = schema[keyword];
      if (!Object.hasOwn(schema, keyword) || isBeyondSafeIntegers(keyword, value)) continue;
      if (isValidArgument(keyword, value)) constraints[keyword] = value;
      else
        this.dropConstraint(at, `has a ${keyword} that is none, or that JSON cannot hold exactly; it is not checked`);
    }
    if (Object.hasOwn(schema, 'pattern')) {
      if (this.isValidPattern(schema.pattern)) constraints.pattern = schema.pattern;
      else this.dropConstraint(at, 'has a pattern that RE2 does not take, which is not checked');
    }
    for (const keyword of UNKNOWN_ASSERTIONS) {
      if (Object.hasOwn(schema, keyword)) this.dropConstraint(at, `has ${keyword}, which is not checked`);
    }
    return constraints;
  }

  private partsOf(schema: JsonObject, at: string, depth: number): JsonSchema {
    const part = (name: string) => this.schemaOf(schema[name], within(at, name), depth + 1);
    const list = (name: string, levels = 2) =>
      asList(schema[name]).map((one, index) => this.schemaOf(one, within(at, name, index), depth + levels));
    const parts: JsonSchema = {};
    if (isObject(schema.properties)) parts.properties = this.propertiesOf(schema.properties, at, depth);
    const required = this.requiredOf(schema);
    if (required.length > 0) parts.required = required;
    const byPattern = this.patternPropertiesOf(schema, at, depth);
    if (byPattern !== null && Object.keys(byPattern).length > 0) parts.patternProperties = byPattern;
    const { additionalProperties: others, unevaluatedProperties } = schema;
    // `additionalProperties: false` would refuse names that the missing constraints allow.
    if ((isObject(others) || others === false) && byPattern !== null && unevaluatedProperties === undefined) {
      parts.additionalProperties = others === false ? false : part('additionalProperties');
    }
    if (isObject(schema.propertyNames)) parts.propertyNames = part('propertyNames');
    const tuple = Array.isArray(schema.items) ? 'items' : 'prefixItems';
    if (asList(schema[tuple]).length > 0) parts.prefixItems = list(tuple);
    if (isObject(schema.items) || schema.items === false) parts.items = part('items');
    if (asList(schema.allOf).length > 0) parts.allOf = list('allOf');
    const anyOf = list('anyOf');
    if (anyOf.length > 0) parts.anyOf = anyOf;
    // Alternatives often overlap, even more with dropped constraints. So `oneOf` becomes `anyOf`.
    const oneOf = list('oneOf', anyOf.length > 0 ? 4 : 2);
    if (oneOf.length > 0 && anyOf.length === 0) parts.anyOf = oneOf;
    else if (oneOf.length > 0) parts.allOf = [...asList(parts.allOf), { anyOf: oneOf }];
    const refused = this.notOf(schema, at, depth);
    if (refused) parts.not = refused;
    return parts;
  }

  private propertiesOf(properties: JsonObject, at: string, depth: number): JsonObject {
    const entries = Object.entries(properties).filter(([name]) => {
      if (name.isWellFormed()) return true;
      this.notes.add(within(at, 'properties'), 'has a name that is not valid Unicode, which is left out');
      return false;
    });
    return Object.fromEntries(
      entries.map(([name, one]) => [name, this.schemaOf(one, within(at, 'properties', name), depth + 2)]),
    );
  }

  /** Null when RE2 rejects a pattern: then no pattern is checked. */
  private patternPropertiesOf({ patternProperties }: JsonObject, at: string, depth: number): JsonObject | null {
    if (!isObject(patternProperties)) return {};
    const pointer = within(at, 'patternProperties');
    if (!Object.keys(patternProperties).every((pattern) => this.isValidPattern(pattern))) {
      this.dropConstraint(pointer, 'has a pattern that RE2 does not take, which is not checked');
      return null;
    }
    return Object.fromEntries(
      Object.entries(patternProperties).map(([pattern, one]) => [
        pattern,
        this.schemaOf(one, within(pointer, pattern), depth + 2),
      ]),
    );
  }

  private isValidPattern(pattern: unknown): pattern is string {
    return typeof pattern === 'string' && pattern.isWellFormed() && this.patterns.problemOf(pattern) === '';
  }

  /** Without read-only members, which callers do not send. */
  private requiredOf(schema: JsonObject): string[] {
    const names = asList(own(schema, 'required')).filter((name) => typeof name === 'string' && name.isWellFormed());
    if (names.length === 0) return [];
    const holders = [
      schema,
      ...asList(schema.allOf)
        .slice(0, MAX_ALL_OF)
        .map((one) => this.target(one)),
    ];
    const isReadOnly = (name: string) =>
      holders.some((holder) => this.target(own(asObject(asObject(holder).properties), name)).readOnly === true);
    return [...new Set(names as string[])].filter((name) => !isReadOnly(name));
  }

  /** Empty for a broken reference, reported at its import. */
  private target(schema: unknown): JsonObject {
    if (isSchemaReference(schema) && schema.readOnly === true) return schema;
    try {
      return asObject(this.document.resolve(schema, '').value);
    } catch {
      return {};
    }
  }

  /** Kept only if no constraint was dropped: otherwise it would refuse more. */
  private notOf(schema: JsonObject, at: string, depth: number): JsonSchema | undefined {
    if (!isObject(schema.not)) return undefined;
    const before = this.droppedConstraints;
    const refused = this.schemaOf(schema.not, within(at, 'not'), depth + 1);
    if (this.droppedConstraints === before && !JSON.stringify(refused).includes('"$ref"')) return refused;
    this.dropConstraint(within(at, 'not'), 'is not checked');
    return undefined;
  }
}

/** `Pet` for `#/components/schemas/Pet`; otherwise the path with dots. */
function nameOf(at: string): string {
  const parts = pointerPartsOf(at) ?? [];
  const isComponent = parts.length === 3 && parts[0] === 'components' && parts[1] === 'schemas';
  const name = (isComponent ? parts[2]! : parts.join('.')).replace(/[^\w.-]+/g, '-').slice(-MAX_NAME + 10);
  return name === '' || name === '__proto__' ? 'schema' : name;
}
