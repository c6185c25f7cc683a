import { fileURLToPath } from 'node:url';
import type { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import type { Log } from '../logging/log.ts';

/** This path holds in a checkout and in the bundle. */
const DIRECTORY = fileURLToPath(new URL('../../skills/', import.meta.url));

/** All tenants share them. */
const CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * Skills over MCP (SEP-2640): Markdown that teaches a model how to use the tools, read when the
 * host needs it. Hosts without the extension see resources. Null, with the reason in the log, if
 * they cannot be read: the tools work without them.
 */
export async function openSkills(log: Log, directory = DIRECTORY): Promise<SkillsExtension | null> {
  try {
    return await loadSkills(directory, {
      strict: true,
      cacheHint: CACHE_HINT,
      onWarning: ({ path, message }) => log.warn({ skill: path }, message),
    });
  } catch (error) {
    log.error({ err: error }, 'the skills cannot be read');
    return null;
  }
}
