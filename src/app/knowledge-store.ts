import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KnowledgeStore } from '../core/knowledge/store.ts';
import { KNOWLEDGE_FILE } from '../storage/installation/names.ts';
import { examineKnowledge } from '../storage/knowledge/sqlite/examine.ts';
import { openKnowledgeStore } from '../storage/knowledge/sqlite/thread.ts';
import type { OpenStores } from './open-stores.ts';

/** How often a node looks for jobs that others have left. */
const POLL_MS = 2_000;

export interface OpenedKnowledge {
  store: KnowledgeStore;
  /** False while nothing was ever stored: asking would make the file. */
  exists(): boolean;
  hasWork: boolean;
  neededUploads: string[];
  copyTo: ((directory: string) => Promise<void>) | null;
  pollMs?: number;
}

type Parts = Pick<OpenStores, 'config' | 'manifest' | 'postgres' | 'log'>;

/** In the data directory, or where nodes share everything. */
export function openKnowledgeOf(parts: Parts): Promise<OpenedKnowledge> {
  return parts.config.nodes === null ? inFile(parts) : inPostgres(parts);
}

async function inFile({ config, manifest, log }: Parts): Promise<OpenedKnowledge> {
  const identity = manifest.identityOf(KNOWLEDGE_FILE);
  const found = await examineKnowledge(config.dataDir, { thorough: false, identity });
  const store = openKnowledgeStore(config.dataDir, {
    onFault: (error) => log.error({ err: error }, 'knowledge store'),
    installationId: manifest.id,
    onMade: () => manifest.made(KNOWLEDGE_FILE),
    memoryShare: config.memory.share,
  });
  // Otherwise the store stays closed: its thread takes 10 MB. Opening marks a restored file.
  const mustOpen = found !== null && (found.hasWork || !identity.isMarked);
  return {
    store,
    exists: () => existsSync(join(config.dataDir, KNOWLEDGE_FILE)),
    hasWork: found?.hasWork ?? false,
    neededUploads: mustOpen ? await store.neededUploads() : [],
    copyTo: (directory) => store.copyTo(directory),
  };
}

async function inPostgres({ postgres, log }: Parts): Promise<OpenedKnowledge> {
  const { openPostgresKnowledge } = await import('../storage/knowledge/postgres/store.ts');
  const store = openPostgresKnowledge(postgres!.pool, {
    onFault: (error) => log.error({ err: error }, 'knowledge store'),
  });
  return {
    store,
    exists: () => true,
    hasWork: true,
    neededUploads: await store.neededUploads(),
    copyTo: null,
    pollMs: POLL_MS,
  };
}
