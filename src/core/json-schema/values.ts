/** A JSON Schema as a definition holds it. */
export type JsonSchema = Record<string, unknown>;
/** Within another schema, `true` allows anything and `false` nothing. */
export type Subschema = JsonSchema | boolean;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
