import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The command line of the benches. */
export interface Options {
  /** Events of the parts queries and feed; the other parts take their share of it. */
  rows: number;
  /** Warm rounds; their median counts. */
  rounds: number;
  /** Length of one measurement under load. */
  seconds: number;
  /** Length of the part hour. */
  minutes: number;
  /** Directory of the data sets, which are reused; null: a temporary one. */
  work: string | null;
  /** Directory in which npm installs the other engines. */
  engines: string;
  /** File for every figure as JSON, or null. */
  json: string | null;
  /** File for the plot of the part hour. */
  svg: string;
  /** Another checkout that start measures, or null. */
  against: string | null;
}

export const HELP = `npm run bench [-- NAME...] [options]

  (no name)   mcp, ingest and start: some twelve minutes
  mcp         what MCP costs
  mcp-load    50 clients of a tool that does nothing, beside a bare server of the MCP library; only when named
  start       warm starts, --version, memory at rest and sizes: of the source, and of build/app and build/agent-runtime
              where they were built
  png         CPU of a card as PNG, and memory over 2,000 of them; only when named
  reviews     lists with searches, statistics and the training export over a tenth of --rows, and what creating one costs;
              only when named
  executions  lists and searches of a tenth of --rows executions, their disk, recording by 16 clients, and in Chromium
              the page of one with 500 steps; only when named
  chat        streaming through us, through Portkey (npm installs it into --engines once) and through a raw pipe; only when
              named
  connectors  calls through a connector, through a whole server and with plain undici, of the same API; only when named
  pictures    what drawing a card as SVG costs, and the size of the module that does it; only when named
  fairness    what small requests of a tenant wait while another does its worst, over a twenty-fifth of --rows; only when
              named
  portal      sizes of the portal's files; in Chromium the bytes of a cold dashboard, and the time from a login to eight
              cards over --rows; only when named
  explain     what explain_change takes over half of --rows events of twelve properties; only when named
  alerts      processor time of 500 alerts checked each minute, over half of --rows events; Linux; only when named
  disks       what small requests take while three clients write, with each sync of a file 100 ms slower; needs gcc and
              Linux; only when named
  at-once     questions of 50 clients at once and of one alone, over a fiftieth of --rows; with --against in turns; Linux;
              only when named
  footprint   memory of a server: while a tenth of --rows events are imported and after it, and for --minutes in a calm
              workspace; with --against in turns; Linux; only when named
  large-answers
              what /healthz takes while four clients fetch pages of 60 KB rows, long series and pictures; only when named
  limits      questions of keys with and without limits below the tenant, in turns, over a tenth of --rows; only when named
  scale       PostgreSQL and ClickHouse against the files, every part below or only those named; only when named
    scale-accept    events accepted
    scale-questions questions over a tenth of --rows, and 300 that are drawn with SEED; the answers must be equal
    scale-nodes     what two nodes accept against one, each limited to a share of a processor (Linux, root, cgroup v1)
  knowledge   every part below; or only the parts named after it, as in: npm run bench -- knowledge csv-ingest pdf
    retrieval   BM25 and our search by words over this machine's manual pages, queries as they stand and mistyped
    csv-ingest  a two-hundredth of --rows from the file to what is found, against LanceDB (into --engines, 180 MB)
    pdf         pages a second against pdf.js, over PDFs that groff and Chromium print, and pages passed over in silence
    vectors     exact search of a hundredth of --rows against LanceDB; when named, up to ten times as many of ours
    recall      search by bits against exact search: a tenth of --rows clustered vectors, a fiftieth of hashed ones
    event-loop  how long others wait while two files are ingested
    memory      the server's peak with a large CSV and a small one, and with a large upload; needs some 6 GB of disk

  events      every part below but hour, and growth without its largest size;
              or only the parts named after it, as in: npm run bench -- events queries feed
    queries   hot, nested and unlearned keys, pages, percentiles, a funnel, retention and disk, against typed columns
    feed      the newest page with its total, against an indexed SQLite table
    engines   PostgreSQL JSONB, ClickHouse JSON, SQLite and DuckDB JSON; downloads some 600 MB into --engines once
    ingest    accept rate, freshness, memory, and a query while much arrives
    tenants   1, 100 and 2,000 tenants in one store, and 3,000 new ones; when named, 100,000 too
    growth    the queries at a tenth, three tenths, all and three times --rows; the largest only when named
    dedup     bytes of disk and memory per caller id
    fairness-queries
              small questions while another tenant asks for much, over a twenty-fifth of --rows; only when named
    dashboard twelve cards asked each second while 1,000 events a second arrive, over --rows; only when named
    hour      one server under paced mixed load, with a plot; only when named

  --rows N      events of queries and feed (10000000). engines takes a fifth of it; ingest and tenants a tenth;
                dedup as many ids as a tenth and a half of it; the parts of knowledge as said there
  --rounds N    warm rounds, of which the median counts (5)
  --seconds N   length of one measurement under load (4)
  --minutes N   length of hour, and of the calm workspace of footprint (60)
  --work DIR    keep data sets and loaded stores there and use again what is there (a directory that is removed
                afterwards). Remove DIR/*/own* after a change of how the store writes
  --engines DIR where the engines are installed (node_modules/.cache/bench-engines)
  --json FILE   write every figure there
  --svg FILE    plot of hour (docs/performance-hour.svg)
  --against DIR another checkout, with its packages installed, that start and footprint measure in the same run

All of events with 10,000,000 rows takes more than an hour and some 20 GB of disk; --rows 1000000 shows the same sooner.`;

/** Names and options; null for help. Throws on unknown ones. */
export function readOptions(args: string[]): { names: string[]; options: Options } | null {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rows: text,
      rounds: text,
      seconds: text,
      minutes: text,
      work: text,
      engines: text,
      json: text,
      svg: text,
      against: text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  const options: Options = {
    rows: countOf('rows', values.rows, 10_000_000),
    rounds: countOf('rounds', values.rounds, 5),
    seconds: countOf('seconds', values.seconds, 4),
    minutes: countOf('minutes', values.minutes, 60),
    work: values.work ?? null,
    engines: values.engines ?? fileURLToPath(new URL('../../node_modules/.cache/bench-engines', import.meta.url)),
    json: values.json ?? null,
    svg: values.svg ?? 'docs/performance-hour.svg',
    against: values.against === undefined ? null : resolve(values.against),
  };
  return { names: positionals, options };
}

function countOf(name: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  const count = Number(text.replaceAll('_', ''));
  if (Number.isFinite(count) && count > 0) return count;
  throw new Error(`--${name}: "${text}" is not a number above 0`);
}
