/** What is taken out of texts before they are chunked. All off unless asked for. */
export interface Hygiene {
  /** Tags go, entities are decoded. */
  stripHtml: boolean;
  removeUrls: boolean;
  /** Empty or placeholder values go, with their names: `N/A`, `null`, `-`. */
  dropEmptyValues: boolean;
  normalizeWhitespace: boolean;
  /** Rows, or chunks, that were there before in the same file go. */
  dedupeUnits: boolean;
}
