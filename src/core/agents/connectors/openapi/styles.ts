import { nameOfReference } from '../../../base/json-schema/references.ts';
import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import type { PathStyle, QueryStyle } from '../definition/resource-schema.ts';
import type { ImportNotes } from './document.ts';
import { asList, asObject, type JsonObject, own, shownJson } from './values.ts';

export type StyledLocation = 'path' | 'query' | 'header';
type ImportedStyle = QueryStyle | PathStyle;

interface Styles {
  byDefault: string;
  /** Without and with explode. */
  styles: Record<string, readonly [ImportedStyle, ImportedStyle]>;
}

const simple = ['simple', 'simpleExploded'] as const;
const STYLES: Record<StyledLocation, Styles> = {
  path: {
    byDefault: 'simple',
    styles: { simple, label: ['label', 'labelExploded'], matrix: ['matrix', 'matrixExploded'] },
  },
  header: { byDefault: 'simple', styles: { simple } },
  query: {
    byDefault: 'form',
    styles: {
      form: ['comma', 'spread'],
      spaceDelimited: ['spaceDelimited', 'spread'],
      pipeDelimited: ['pipeDelimited', 'spread'],
      deepObject: ['deepObject', 'deepObject'],
    },
  },
};

const NOT_RESERVED =
  'has allowReserved; #, &, +, ;, [ and ] are encoded all the same, as they would end the value or change it';

const RESERVED_ELSEWHERE = 'has allowReserved, which is for a query alone; all reserved characters are encoded';

/** Encoding Objects of a form are read like parameters of a query. */
export function styleOf(declared: JsonObject, location: StyledLocation, at: string, notes: ImportNotes): ImportedStyle {
  const { byDefault, styles } = STYLES[location];
  const { style = byDefault, explode = style === 'form', collectionFormat } = declared;
  if (declared.allowReserved === true) notes.add(at, location === 'query' ? NOT_RESERVED : RESERVED_ELSEWHERE);
  if (collectionFormat !== undefined)
    notes.add(at, 'has a collectionFormat of Swagger 2, not followed; say style and explode');
  const known = own(styles, String(style)) as Styles['styles'][string] | undefined;
  if (known === undefined) {
    notes.add(at, `has the style ${shownJson(style)}, which is none of a ${location}; it is written as ${byDefault}`);
  }
  if (explode === true && String(style).endsWith('Delimited')) {
    notes.add(at, `is ${style} with explode, which OpenAPI leaves undefined; it is written as form`);
  }
  return (known ?? styles[byDefault]!)[explode === true ? 1 : 0];
}

/** Undefined where values of the schema are written as they are without a style. */
export function neededStyle(
  style: ImportedStyle,
  location: StyledLocation,
  schema: JsonSchema,
  shared: ReadonlyMap<string, JsonSchema>,
): ImportedStyle | undefined {
  const takes = (type: string) => mayBe(type, schema, shared);
  if (style === 'simple') return undefined;
  if (style === 'simpleExploded' || style === 'spread') return takes('object') ? style : undefined;
  if (location !== 'query' || takes('object')) return style;
  if (!takes('array')) return undefined;
  // Documents with `deepObject` lists, outside the standard, expect `expand[]=a&expand[]=b`.
  return style === 'deepObject' ? 'brackets' : style;
}

/** Whether a value of the type may fit an imported schema. */
function mayBe(
  type: string,
  schema: JsonSchema,
  shared: ReadonlyMap<string, JsonSchema>,
  seen = new Set<string>(),
): boolean {
  const either = (one: unknown) => mayBe(type, asObject(one), shared, seen);
  const name = nameOfReference(schema.$ref);
  const isSeen = name === null || seen.has(name);
  if (name !== null) seen.add(name);
  return (
    (schema.type === undefined || [schema.type].flat().includes(type)) &&
    (isSeen || either(shared.get(name))) &&
    asList(schema.allOf).every(either) &&
    (schema.anyOf === undefined || asList(schema.anyOf).some(either))
  );
}

/** The members of an object that has no others: they become parameters (`?page=1&size=20`). */
export function knownMembers(schema: JsonSchema, shared: ReadonlyMap<string, JsonSchema>): JsonObject | null {
  const target = schema.$ref === undefined ? schema : asObject(shared.get(nameOfReference(schema.$ref) ?? ''));
  const { properties, $ref, allOf, anyOf, patternProperties, additionalProperties } = target;
  const isOpen = ($ref ?? allOf ?? anyOf ?? patternProperties) !== undefined || isObject(additionalProperties);
  return isObject(properties) && Object.keys(properties).length > 0 && !isOpen ? properties : null;
}
