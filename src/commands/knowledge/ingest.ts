import { Argument, type Command, Option } from 'commander';
import { DEFAULT_TENANT } from '../../core/access/auth/bootstrap.ts';
import { lazily } from '../actions/lazily.ts';
import { withAdministration } from '../input/options.ts';
import { currentInvocation } from '../presentation/invocation.ts';

export function register(program: Command): void {
  withAdministration(program.command('ingest').description('take files into a vector store, where search finds them'))
    .addArgument(
      new Argument('<files...>', 'PDF, DOCX, TXT, MD, JSON (also NDJSON) or CSV files, or directories of them'),
    )
    .requiredOption('--store <name>', 'vector store; made with its first file')
    .option('--tenant <tenant>', 'name or id of the tenant', DEFAULT_TENANT)
    .option('--metadata <json>', 'an object that every passage carries, to filter by: {"lang": "en"}')
    .option('--source-id <id>', 'replaces the document that was ingested with the same one')
    .option('--csv-delimiter <character>', 'one character, or tab (default: found in the file)')
    .option('--csv-content-columns <columns>', 'comma-separated columns that become text (default: all)')
    .option('--csv-metadata-columns <columns>', 'comma-separated columns that become metadata of their row')
    .option('--strip-html', 'take HTML tags out, and decode entities')
    .option('--remove-urls', 'take web addresses out')
    .option('--drop-empty-values', 'take out what stands for nothing: N/A, null, -')
    .option('--normalize-whitespace', 'collapse repeated white space')
    .option('--dedupe', 'leave out rows and passages that the file has already had')
    .option('--no-wait', 'end once the files are on the server; it ingests them by itself')
    .addOption(new Option('--url <url>', 'send to this server, with AGENT_RUNTIME_API_KEY (AGENT_RUNTIME_URL)'))
    .addHelpText('after', help)
    .action(lazily(() => import('../actions/ingest.ts')));
}

function help(): string {
  const { line } = currentInvocation();
  return `
Without --url it works on the data directory, beside a server or without one.
A directory is read with all below it; hidden files, and those without a known extension, are skipped.
The exit code is 1 when a file was not ingested, and 130 when you left before the end: the server goes on all the same.

  ${line('ingest')} handbook.pdf faq.md --store help
  ${line('ingest')} docs/ --store help
  ${line('ingest')} prices.csv --store prices --csv-content-columns name,text --csv-metadata-columns sku
  ${line('search')} "how long does a refund take" --store help
`;
}
