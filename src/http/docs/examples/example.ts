export interface ExampleExchange {
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
  /** JSON, or text with `answerType`; left out with 204. */
  answer?: unknown;
  answerType?: string;
}

/** By `operationId`, then by name. The status is by default 200, or 204 without an answer. */
export type Examples = Record<
  string,
  Record<string, Omit<ExampleExchange, 'status'> & Partial<Pick<ExampleExchange, 'status'>>>
>;
