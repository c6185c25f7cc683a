import {
  type ImportedConnector,
  importOpenApi,
  type OpenApiImportOptions,
} from '../core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../core/agents/connectors/openapi/parse-document.ts';
import { toWire, type WireError } from '../threads/call-thread.ts';

export interface ImportTask {
  document: string;
  options: OpenApiImportOptions;
}

/** Failures are values: errors lose their class in transit. */
export type OpenApiResult = { imported: ImportedConnector } | { error: WireError };

export default function work({ document, options }: ImportTask): OpenApiResult {
  try {
    return { imported: importOpenApi(parseDocument(document, 'document'), options) };
  } catch (error) {
    return { error: toWire(error) };
  }
}
