import { z } from 'zod';
import { type Caller, requirePortal } from '../../../base/shared/caller.ts';
import { nullIfUnknown } from '../../../base/shared/errors.ts';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { connectorDefinitionSchema, connectorMembersSchema } from '../definition/schema.ts';
import { appliedConnectorSchema, connectorDefinitionOf } from '../definition/shown.ts';
import type { ConnectorService } from '../service.ts';
import type { ImportedConnector, OpenApiImportOptions } from './import.ts';

const { name } = connectorMembersSchema.shape;

export const previewImportSchema = z.strictObject({
  document: z.string().min(1).describe('The OpenAPI document, version 3.0 or 3.1, as JSON or YAML.'),
  name: name.optional().describe("In place of the document's title."),
  baseUrl: z.string().max(2_000).optional().describe('Where the API is reached, in place of what the document says.'),
});
requestSchemas.add(previewImportSchema, { id: 'PreviewImport' });
export type PreviewImport = z.output<typeof previewImportSchema>;

const noteSchema = z.object({
  at: z.string().describe('Where in the document, as a JSON Pointer.'),
  message: z.string().describe('What the import left out or changed.'),
  more: z.int().describe('Other places with the same message.'),
});

const changeSchema = z.object({
  change: z.enum(['added', 'removed', 'changed']).describe('How it differs.'),
  of: z.enum(['resource', 'schema']).describe('Whether it is a resource or a schema.'),
  name: z.string().describe('The slug of the resource, or the name of the schema.'),
  label: z.string().describe('The method and the path of a resource; the name of a schema.'),
  details: z.array(z.string()).describe('What has changed; empty unless `changed`.'),
});

export const importPreviewSchema = appliedConnectorSchema.extend({
  definition: connectorDefinitionSchema.describe('The definition, in the form that a PUT takes.'),
  notes: z.array(noteSchema).describe('All that is taken otherwise than the document says, or left out.'),
  changes: z.array(changeSchema).describe('The differences from the stored connector; none for a new one.'),
});
responseSchemas.add(importPreviewSchema, { id: 'ImportPreview' });
export type ImportPreview = z.output<typeof importPreviewSchema>;

export type ReadOpenApi = (
  document: string,
  options: OpenApiImportOptions,
  tenantId: string,
  signal: AbortSignal,
) => Promise<ImportedConnector>;

export interface ImportPreviewParts {
  connectors: Pick<ConnectorService, 'get' | 'preview'>;
  /** Reads the document in another thread: large YAML takes seconds. Throws `invalid`. */
  read: ReadOpenApi;
}

/** Previews of imports of OpenAPI documents. They store nothing. */
export class ImportPreviews {
  private readonly parts: ImportPreviewParts;

  constructor(parts: ImportPreviewParts) {
    this.parts = parts;
  }

  async preview(caller: Caller, slug: string, input: PreviewImport, signal: AbortSignal): Promise<ImportPreview> {
    requirePortal(caller, 'administrator');
    const { connectors, read } = this.parts;
    const { tenantId } = caller;
    const { document, ...given } = input;
    const existing = await connectors.get(tenantId, slug).then(connectorDefinitionOf, nullIfUnknown);
    const options = { ...given, slug, ...(existing && { existing }) };
    const { definition, notes, changes } = await read(document, options, tenantId, signal);
    const [applied] = await connectors.preview(tenantId, definition);
    return { ...applied!, definition, notes, changes };
  }
}
