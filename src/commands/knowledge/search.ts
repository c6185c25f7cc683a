import { Argument, type Command, Option } from 'commander';
import { DEFAULT_TENANT } from '../../core/access/auth/bootstrap.ts';
import { SEARCH_MODES } from '../../core/knowledge/store.ts';
import { lazily } from '../actions/lazily.ts';
import { withAdministration } from '../input/options.ts';

export function register(program: Command): void {
  withAdministration(program.command('search').description('search a vector store'))
    .addArgument(new Argument('<query...>', 'words, or a question'))
    .requiredOption('--store <name>', 'vector store')
    .option('--limit <number>', 'how many passages, at most 50', '5')
    .addOption(new Option('--mode <mode>', 'default: what the store can').choices([...SEARCH_MODES]))
    .option('--filter <json>', 'only passages with this metadata: {"lang": "en"}')
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .option('--url <url>', 'ask this server, with AGENT_RUNTIME_API_KEY (AGENT_RUNTIME_URL)')
    .action(lazily(() => import('../actions/search.ts')));
}
