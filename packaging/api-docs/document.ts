/* The parts of the OpenAPI document that the pages use. */

export interface ApiDocument {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, Answer | { $ref: string }>;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface Content {
  schema: Schema;
}

export interface Answer {
  description: string;
  headers?: Record<string, { description: string }>;
  content?: Record<string, Content>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  default?: unknown;
}

export function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? ref;
}
