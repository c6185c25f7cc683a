import type { AuditLog } from '../base/audit/log.ts';
import { reaches } from '../base/filters/limits.ts';
import { type Caller, requireScope } from '../base/shared/caller.ts';
import type { Effects } from '../base/shared/effects.ts';
import { forbidden, invalid, notFound, type RuntimeError } from '../base/shared/errors.ts';
import { formatUtc } from '../base/time/time.ts';
import type { IngestFields, ReadDocument, ShownDocument } from './schema.ts';
import type { KnowledgeStore, StoredDocument } from './store.ts';
import type { VectorStoreService } from './vector-stores.ts';

export interface DocumentParts {
  store: KnowledgeStore;
  stores: Pick<VectorStoreService, 'own'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** The documents of a vector store. Another tenant's one is `forbidden`. */
export class DocumentService {
  private readonly parts: DocumentParts;

  constructor(parts: DocumentParts) {
    this.parts = parts;
  }

  async list(
    caller: Caller,
    vectorStore: string,
    query: { search?: string | undefined; limit: number; offset: number },
  ): Promise<{ documents: ShownDocument[]; total: number }> {
    requireScope(caller, 'knowledge:read');
    const { store, stores } = this.parts;
    await stores.own(caller, vectorStore);
    const { items, total } = await store.listDocuments(caller.tenantId, { vectorStore, ...query });
    return { documents: items.map(shownDocument), total };
  }

  /** The document with its passages from index `from` on. */
  async read(
    caller: Caller,
    vectorStore: string,
    documentId: string,
    { from, limit }: { from: number; limit: number },
  ): Promise<ReadDocument> {
    requireScope(caller, 'knowledge:read');
    await this.requireOwn(caller, vectorStore, documentId);
    const read = await this.parts.store.readDocument(caller.tenantId, { vectorStore, documentId, from, limit });
    if (!read) throw noDocument(vectorStore, documentId);
    const passages = read.chunks.map(({ text, place, headings, metadata }, index) => ({
      ...{ chunkIndex: from + index, text, ...place },
      ...(headings.length > 0 && { heading: headings.join(' > ') }),
      ...(metadata && { metadata }),
    }));
    return { ...shownDocument(read.document), passages };
  }

  async delete(caller: Caller, vectorStore: string, documentId: string): Promise<void> {
    requireScope(caller, 'knowledge:write');
    const { store, effects, audit } = this.parts;
    await this.requireOwn(caller, vectorStore, documentId);
    if (!(await store.deleteDocument(caller.tenantId, vectorStore, documentId, effects.now()))) {
      throw noDocument(vectorStore, documentId);
    }
    await audit.record(caller, caller.tenantId, 'document.deleted', documentId, { vectorStore });
  }

  /**
   * The source of a document that a file replaces. Throws `invalid` where the metadata name another
   * one.
   */
  async replaced(caller: Caller, { vectorStore, metadata = {} }: IngestFields, documentId: string): Promise<string> {
    await this.requireOwn(caller, vectorStore, documentId);
    const source = await this.parts.store.sourceOf(caller.tenantId, vectorStore, documentId);
    if (source === null) throw noDocument(vectorStore, documentId);
    const given = sourceIn(metadata);
    if (given === null || given === source) return source;
    throw invalid('metadata.sourceId: is that of another document than the replaced one; leave it out');
  }

  private async requireOwn(caller: Caller, vectorStore: string, documentId: string): Promise<void> {
    const found = await this.parts.store.findDocument(documentId);
    if (found && found.tenantId !== caller.tenantId) throw forbidden('This document belongs to another tenant.');
    await this.parts.stores.own(caller, vectorStore);
    if (found?.vectorStore === vectorStore) return;
    const isElsewhere = found && reaches(caller, 'vectorStores', found.vectorStore);
    throw noDocument(vectorStore, documentId, isElsewhere ? `; it is in ${found.vectorStore}` : '');
  }
}

export function sourceIn({ sourceId }: Record<string, unknown>): string | null {
  return typeof sourceId === 'string' ? sourceId : null;
}

function noDocument(vectorStore: string, documentId: string, elsewhere = ''): RuntimeError {
  return notFound(`There is no document ${JSON.stringify(documentId)} in ${vectorStore}${elsewhere}.`);
}

function shownDocument({ content: _, createdAt, ...document }: StoredDocument): ShownDocument {
  return { ...document, createdAt: formatUtc(createdAt) };
}
