import { nameOfReference } from './references.ts';
import type { KeywordArguments } from './schema.ts';
import { isObject, type JsonSchema, type Subschema } from './values.ts';

/** The names and kinds that a schema accepts, through `$ref`, `allOf`, `anyOf` and `oneOf`. */
export interface Outline {
  names: ReadonlySet<string>;
  isOpen: boolean;
  takesObject: boolean;
}

const ANYTHING: Outline = { names: new Set(), isOpen: true, takesObject: true };

export function outlineOf(schema: JsonSchema | undefined, schemas: Record<string, JsonSchema>): Outline {
  if (schema === undefined) return ANYTHING;
  const outliner = new Outliner(schemas);
  const { isOpen, takesObject } = outliner.look(schema);
  return { names: outliner.names, isOpen, takesObject };
}

type Accepted = Pick<Outline, 'isOpen' | 'takesObject'>;

/** Visits each schema once. */
class Outliner {
  readonly names = new Set<string>();
  private readonly schemas: Record<string, JsonSchema>;
  private readonly known = new Map<JsonSchema, Accepted>();

  constructor(schemas: Record<string, JsonSchema>) {
    this.schemas = schemas;
  }

  look(schema: Subschema): Accepted {
    if (typeof schema === 'boolean') return { isOpen: schema, takesObject: schema };
    const accepted = this.known.get(schema) ?? this.lookInto(schema);
    this.known.set(schema, accepted);
    return accepted;
  }

  private lookInto(schema: Partial<KeywordArguments>): Accepted {
    const { $ref, allOf = [], anyOf, oneOf, properties = {}, required = [] } = schema;
    for (const name of [...Object.keys(properties), ...required]) this.names.add(name);
    const all = [acceptedByKeywords(schema), ...allOf.map((one) => this.look(one))];
    if ($ref !== undefined) all.push(this.look(this.schemas[nameOfReference($ref)!]!));
    for (const forms of [anyOf, oneOf]) if (forms !== undefined) all.push(this.lookAtForms(forms));
    return { isOpen: all.every(({ isOpen }) => isOpen), takesObject: all.every(({ takesObject }) => takesObject) };
  }

  private lookAtForms(forms: Subschema[]): Accepted {
    const any = forms.map((one) => this.look(one));
    return { isOpen: any.some(({ isOpen }) => isOpen), takesObject: any.some(({ takesObject }) => takesObject) };
  }
}

function acceptedByKeywords({
  type,
  const: one,
  enum: values,
  additionalProperties,
  patternProperties,
}: Partial<KeywordArguments>) {
  const listed = one === undefined ? values : [one];
  return {
    isOpen: additionalProperties !== false || patternProperties !== undefined,
    takesObject:
      (type === undefined || [type].flat().includes('object')) && (listed === undefined || listed.some(isObject)),
  };
}
