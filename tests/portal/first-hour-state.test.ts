import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import {
  type CsvTable,
  type Mapping,
  mappedRows,
  mappingProblem,
  readTable,
} from '../../portal/src/pages/first-hour/csv/mapping.ts';
import { csvRows, delimiterOf } from '../../portal/src/pages/first-hour/csv/records.ts';
import { decode } from '../../portal/src/pages/first-hour/csv/text.ts';
import { TimeJudge, timeOf } from '../../portal/src/pages/first-hour/csv/times.ts';
import { readFileOf } from '../importing/support.ts';

const rolesOf = ({ columns }: CsvTable) => Object.fromEntries(columns.map(({ name, role }) => [name, role]));

function mappingOf(table: CsvTable, members: Partial<Mapping> = {}): Mapping {
  const time = table.columns.find(({ role }) => role === 'timestamp');
  return {
    roles: table.columns.map(({ role }) => role),
    eventName: '',
    timeFormat: time?.formats[0] ?? 'iso',
    timeZone: 'UTC',
    ...members,
  };
}

async function eventsOf(text: string, members: Partial<Mapping> = {}, locale = 'en-GB') {
  const table = await readTable(text, locale);
  const rows = [...mappedRows(text, table, mappingOf(table, members))];
  return { table, rows: JSON.parse(JSON.stringify(rows)) };
}

test('CSV guess: names, times and threads by their titles, the rest as properties', async () => {
  const text =
    'event_name,created_at,session_id,plan,amount,vip\nsigned_up,2026-03-01T12:00:00Z,s1,pro,12.50,TRUE\npaid,2026-03-02 08:30,s2,free,3.05,FALSE\n';
  const { table, rows } = await eventsOf(text);
  assert.deepEqual(rolesOf(table), {
    event_name: 'eventName',
    created_at: 'timestamp',
    session_id: 'threadId',
    plan: 'text',
    amount: 'number-point',
    vip: 'boolean',
  });
  assert.deepEqual(rows[1], {
    line: 3,
    event: {
      eventName: 'paid',
      timestamp: '2026-03-02T08:30:00.000Z',
      threadId: 's2',
      properties: { plan: 'free', amount: 3.05, vip: false },
    },
  });
});

test('CSV guess: semicolons, decimal commas and days that come first', async () => {
  const text =
    '\ufeffBestellung;Datum;Kunde;Betrag;PLZ\n7001;31.12.2025 14:05;"Müller; Söhne";1.234,50;01067\n7002;01.02.2026;Weiß;9,90;80331\n';
  const decoded = decode(new TextEncoder().encode(text));
  assert.deepEqual([decoded.encoding, decoded.isGuess], ['utf-8', false]);
  const { table, rows } = await eventsOf(decoded.text, { eventName: 'order_paid' });
  assert.equal(table.delimiter, ';');
  assert.deepEqual(rolesOf(table), {
    Bestellung: 'number',
    Datum: 'timestamp',
    Kunde: 'text',
    Betrag: 'number-comma',
    PLZ: 'text',
  });
  assert.match(table.columns[3]!.reason ?? '', /decimal comma/);
  assert.match(table.columns[4]!.reason ?? '', /leading zeros/);
  assert.deepEqual(rows[0].event, {
    eventName: 'order_paid',
    timestamp: '2025-12-31T14:05:00.000Z',
    properties: { Bestellung: 7001, Kunde: 'Müller; Söhne', Betrag: 1234.5, PLZ: '01067' },
  });
});

test('CSV guess: what is not Unicode is shown as a guess and can be chosen', () => {
  const bytes = Uint8Array.from([0x57, 0x65, 0x69, 0xdf]);
  assert.deepEqual(decode(bytes), { text: 'Weiß', encoding: 'windows-1252', isGuess: true });
  assert.equal(decode(bytes, 'windows-1251').text, 'WeiЯ');
  assert.equal(decode(Uint8Array.from([0xff, 0xfe, 0x61, 0, 0x0d, 0, 0x62, 0])).text, 'a\nb');
});

test('CSV guess: of two readings of dates the likelier comes first', () => {
  const formats = (values: string[], locale = 'en-GB') => {
    const judge = new TimeJudge();
    for (const value of values) judge.see(value);
    return judge.formats(locale);
  };
  assert.deepEqual(formats(['3/4/2026', '1/2/2026']), ['dmy', 'mdy']);
  assert.deepEqual(formats(['3/4/2026', '1/2/2026'], 'en-US'), ['mdy', 'dmy']);
  assert.deepEqual(formats(['3/14/2026', '', '1/2/2026 1:05 pm']), ['mdy']);
  assert.deepEqual(formats(['14.3.26', '1.2.26']), ['dmy']);
  assert.deepEqual(formats(['1774965900', '1774965901']), ['seconds']);
  assert.deepEqual(formats(['2026-03-31', '2026-02-30']), []);
  assert.deepEqual(formats([]), []);
});

test('CSV times: offsets, halves of a day and fractions are read', () => {
  const at = '2026-03-31T14:05:00.000Z';
  assert.equal(timeOf('2026-03-31T16:05:00+02:00', 'iso', 'UTC'), at);
  assert.equal(timeOf('2026/3/31 14:05:00.123456', 'iso', 'UTC'), at);
  assert.equal(timeOf('3/31/26, 2:05 PM', 'mdy', 'UTC'), at);
  assert.equal(timeOf('31.03.2026 14:05', 'dmy', 'UTC'), at);
  assert.equal(timeOf('12/1/2026 12:00 am', 'mdy', 'UTC'), '2026-12-01T00:00:00.000Z');
  assert.equal(timeOf('1774965900', 'seconds', 'UTC'), at);
  assert.equal(timeOf('31.02.2026', 'dmy', 'UTC'), null);
  assert.equal(timeOf('2026-03-31 24:00', 'iso', 'UTC'), null);
});

test('CSV times: those without a zone are of the chosen one, clock changes included', () => {
  const inZone = (text: string, zone: string) => timeOf(text, 'iso', zone);
  assert.equal(inZone('2026-11-01', 'UTC'), '2026-11-01T00:00:00.000Z');
  assert.equal(inZone('2026-11-01', 'Europe/Berlin'), '2026-10-31T23:00:00.000Z');
  assert.equal(inZone('2026-11-01T00:00Z', 'Europe/Berlin'), '2026-11-01T00:00:00.000Z');
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
  const dates = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'];
  for (const zone of zones) {
    for (const date of dates) {
      for (const clock of ['00:00', '01:30', '02:00', '02:15', '02:30', '03:00', '23:59']) {
        const local = `${date}T${clock}`;
        const { epochMilliseconds } = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
        assert.equal(inZone(local, zone), new Date(epochMilliseconds).toISOString(), `${local} ${zone}`);
      }
    }
  }
});

test('CSV mapping: a person changes it, and each row that contradicts is named', async () => {
  const text = 'when,what,count\n2026-01-01,a,1\nyesterday,b,2\n2026-01-02,c,many\n2026-01-03,"d\n';
  const { table } = await eventsOf(text);
  const roles = (...chosen: Mapping['roles']) => mappingOf(table, { roles: chosen, eventName: 'e' });
  assert.equal(mappingProblem(mappingOf(table)), 'Give the events a name.');
  assert.equal(mappingProblem(roles('timestamp', 'eventName', 'none')), null);
  assert.equal(mappingProblem(roles('eventName', 'eventName', 'none')), 'Only one column can be the event name.');
  const rows = [...mappedRows(text, table, roles('timestamp', 'eventName', 'number'))];
  assert.deepEqual(
    rows.map(({ line, problem }) => [line, problem]),
    [
      [2, undefined],
      [3, 'when: "yesterday" is not a time'],
      [4, 'count: "many" is not a number'],
      [
        5,
        'The quote opened in line 5 is not closed within 1 MB. Close it, or double it ("") if it belongs to the value.',
      ],
    ],
  );
  assert.deepEqual(rows[0]!.event?.eventName, 'a');
});

test('CSV mapping: empty files and repeated names are refused with the reason', async () => {
  assert.equal((await readTable('', 'en')).problem, 'The file is empty.');
  assert.match((await readTable('a,b\n', 'en')).problem!, /no rows/);
  assert.match((await readTable('a,a\n1,2\n', 'en')).problem!, /More than one column is named a/);
});

const FILES: Record<string, string> = {
  commas:
    'eventName,threadId,amount,note\na,t1,1.5,"x, ""y"""\nb,,2.25,\n\nc,t3,3.75,"two\nlines"\nd,t4,4.5\ne,t5,5.5,z\n',
  semicolons:
    'eventName;timestamp;price;zip\r\na;2026-03-01T10:00:00Z;1.234,50;01067\r\nb;2026-03-02T10:00:00Z;7,25;80331\r\n',
  tabs: 'eventName\tlong text, with commas\tok\na\tone, two\tTRUE\nb\tthree\tFALSE\n',
  quotes: 'eventName,text\na,"b"c\nd,"e"\nf,"never closed\ng,h\n',
  told: 'sep=|\neventName|n\na|1\nb|2\n',
  pairs: 'eventName,version\na,1.9\nb,1.10\nc,="007"\n',
  old: 'eventName,n\ra,1\rb,2\r',
};

for (const [name, text] of Object.entries(FILES)) {
  test(`CSV rows: ${name} are read as the command line reads them`, async (t) => {
    const told = await readFileOf(t, text, { eventName: undefined });
    const { rows, table } = await eventsOf(decode(new TextEncoder().encode(text)).text);
    assert.equal(table.delimiter, told.delimiter);
    const plain = ({ line, event, problem }: (typeof told.rows)[number]) =>
      problem === undefined ? { line, event: withTime(event!) } : { line, problem };
    assert.deepEqual(rows, told.rows.map(plain));
  });
}

function withTime(event: Record<string, unknown>): object {
  return typeof event.timestamp === 'string' ? { ...event, timestamp: new Date(event.timestamp).toISOString() } : event;
}

test('CSV rows: of a broken row with several lines the others are read', () => {
  const rows = [...csvRows('a,b\n1,"x\ny",z\n2,3\n', ',', 2)];
  assert.deepEqual(
    rows.map(({ line, problem }) => [line, problem !== undefined]),
    [
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ],
  );
  assert.equal(delimiterOf('only\none\n'), ',');
});
