export interface Exchange {
  summary: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, or text with `contentType`. */
  body?: unknown;
  contentType?: string;
  /** In place of a body. */
  form?: { fields: Record<string, string>; file: { name: string; content: string } };
  status: number;
  /** JSON, or text with `answerType`; omitted with 204. */
  answer?: unknown;
  answerType?: string;
}

/** By `operationId`, then by name. */
export type Examples = Record<string, Record<string, Exchange>>;
