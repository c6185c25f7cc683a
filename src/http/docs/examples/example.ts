/** A request to an operation and its response. */
export interface Exchange {
  /** In a few words. */
  summary: string;
  /** Path parameters by name. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, or text with `contentType`. */
  body?: unknown;
  /** If other than JSON. */
  contentType?: string;
  /** In place of a body: text fields and one file. */
  form?: { fields: Record<string, string>; file: { name: string; content: string } };
  status: number;
  /** JSON, or text with `answerType`; omitted with 204. */
  answer?: unknown;
  /** If other than JSON. */
  answerType?: string;
}

/** Exchanges by `operationId`, then by name. */
export type Examples = Record<string, Record<string, Exchange>>;
