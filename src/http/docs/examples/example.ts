/** One exchange with an operation as people would have it: what is sent, and what it is answered. */
export interface Exchange {
  /** What is done, in a few words. */
  summary: string;
  /** What stands in the path, by name. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, or the text of another content type. */
  body?: unknown;
  /** Of a body that is no JSON. */
  contentType?: string;
  /** In place of a body: text fields and one file. */
  form?: { fields: Record<string, string>; file: { name: string; content: string } };
  status: number;
  /** JSON, or the text of another content type; none with 204. */
  answer?: unknown;
  /** Of an answer that is no JSON. */
  answerType?: string;
}

/** The exchanges of operations, by `operationId` and then by a name of their own. */
export type Examples = Record<string, Record<string, Exchange>>;
