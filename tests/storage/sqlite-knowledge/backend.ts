import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openKnowledgeStore } from '../../../src/storage/sqlite-knowledge/thread.ts';
import type { KnowledgeBackend } from '../../contracts/knowledge/backend.ts';
import { temporaryDirectory } from '../../support/app.ts';

export const sqliteKnowledge: KnowledgeBackend = {
  name: 'SQLite',
  directory: temporaryDirectory,
  open: (directory) => openKnowledgeStore(directory, { onFault: (error) => assert.fail(error) }),
  bytes: (directory) => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
};
