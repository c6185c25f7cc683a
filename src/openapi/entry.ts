import {
  type ImportedConnector,
  importOpenApi,
  type OpenApiImportOptions,
} from '../core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../core/agents/connectors/openapi/parse-document.ts';
import { invalid, type RuntimeError } from '../core/base/shared/errors.ts';
import { toWire, type WireError } from '../threads/call-thread.ts';

export interface ImportTask {
  document: string;
  options: OpenApiImportOptions;
}

/**
 * In characters of JSON; a PUT takes no more. A small document may refer to one large parameter
 * everywhere.
 */
const MAX_DEFINITION = 2 * 1024 * 1024;
/** The definition with its notes and changes may have as much. */
const MAX_ALL = 2 * MAX_DEFINITION;

/** Failures are values: errors lose their class in transit. */
export type OpenApiResult = { imported: ImportedConnector } | { error: WireError };

export default function work({ document, options }: ImportTask): OpenApiResult {
  try {
    const imported = importOpenApi(parseDocument(document, 'document'), options);
    if (sizeOf(imported.definition) > MAX_DEFINITION || sizeOf(imported) > MAX_ALL) throw tooLarge();
    return { imported };
  } catch (error) {
    // The definition has more characters than a string can have.
    return { error: toWire(error instanceof RangeError ? tooLarge() : error) };
  }
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

function tooLarge(): RuntimeError {
  return invalid('document: makes a definition of more than 2 MB, or as many notes; import the document in parts');
}
