import { QUERY_EVENTS } from '../../../api/answers.ts';
import { api, type Schemas } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { serverText, t } from '../../../language/index.ts';
import { EventField, SegmentField } from '../../../question/fields/known-fields.tsx';
import { TableRowsField } from '../../../question/fields/table-rows-field.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { FilterRows } from '../../../question/filters/filter-rows.tsx';
import { type QuestionFieldsProps, QuestionPage } from '../../../question/question-page.tsx';
import { bind } from '../../../ui/bind.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { download } from '../../../ui/download.ts';
import { TextField } from '../../../ui/field.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { ExploreHead, useDefaultQuestion } from '../head.tsx';
import { HowToBegin } from '../how-to-begin.tsx';
import { SaveAsCard } from '../save-as-card.tsx';
import { csvOf } from './csv.ts';
import {
  cardOf,
  DEFAULT_LIMIT,
  formOf,
  nextSort,
  pathsOf,
  questionOf,
  type Sort,
  sortOf,
  type TableForm,
  type TableQuestion,
  withValidSort,
} from './state.ts';

export function QueryEvents() {
  return (
    <QuestionPage
      head={<ExploreHead />}
      byDefault={useDefaultQuestion('table')}
      next={<HowToBegin>{t('Choose an event and press Run.')}</HowToBegin>}
      path={QUERY_EVENTS}
      tool="query_events"
      keepsAnswer
      formOf={formOf}
      questionOf={questionOf}
      pathsOf={pathsOf}
      normalized={(form) => withValidSort({ ...form, offset: 0 })}
      queryOf={(body) => api.queryOptions('post', QUERY_EVENTS, { body })}
      fields={TableFields}
    >
      {({ answer, question, isStale, onAsk }) => (
        <Result table={answer} question={question} isStale={isStale} onMove={onAsk} />
      )}
    </QuestionPage>
  );
}

function TableFields({ form, agent, messages, onChange: change }: QuestionFieldsProps<TableForm>) {
  const field = bind({ form, messages, onChange: change });
  const { eventName } = form;
  return (
    <>
      <EventField {...field.value('eventName')} agent={agent} />
      <TableRowsField
        rows={form}
        eventName={eventName}
        agent={agent}
        messages={messages}
        path=""
        onMode={(mode) => change({ mode, sort: null })}
        onChange={change}
      />
      <FilterRows {...field.part('filters')} eventName={eventName} agent={agent} />
      <SegmentField {...field.value('segment')} />
      <RangeField byDefault={t('All time')} {...field.part('range')} />
      <TimeZoneField {...field.value('timezone')} />
      <TextField
        label={t('Rows per page')}
        inputMode="numeric"
        type="number"
        placeholder={String(DEFAULT_LIMIT)}
        {...field.text('limit')}
      />
    </>
  );
}

type Table = Schemas['QueriedTable'];
type Column = Table['columns'][number];

interface ResultProps {
  table: Table;
  question: TableQuestion;
  /** True while the table is that of the question before. */
  isStale: boolean;
  onMove(to: { offset: number; sort?: Sort }): void;
}

function Result({ table, question, isStale, onMove }: ResultProps) {
  const { rows, columns, total, notes = [] } = table;
  const { limit = DEFAULT_LIMIT, offset = 0, mode } = question;
  const { tenant } = useSession();
  const zone = question.timezone ?? tenant.timezone;
  const hasTimes = rows.length > 0 && columns.some(({ type }) => type === 'datetime');
  return (
    <section className="panel stack tight result" aria-label={t('Answer')} aria-busy={isStale}>
      <div className="row result-head">
        <p role="status">
          {countInWords(mode === 'raw' ? 'events' : 'groups', total, offset, rows.length)}
          {hasTimes && ` · ${t('times in {zone}', { zone })}`}
        </p>
        <div className="row">
          {rows.length > 0 && (
            <Export {...{ rows, columns, name: question.eventName ?? 'events' }} isPage={rows.length < total} />
          )}
          <SaveAsCard card={cardOf(question)} />
        </div>
      </div>
      {notes.map((note) => (
        <p key={note} className="small muted note">
          {serverText(note)}
        </p>
      ))}
      {rows.length === 0 ? (
        <EmptyState title={total === 0 ? t('No event matches') : t('No row is left on this page')}>
          <p>{total === 0 ? t('Remove a filter or choose a longer time range.') : t('Go back to the first rows.')}</p>
        </EmptyState>
      ) : (
        <Rows
          {...{ rows, columns, zone }}
          question={question}
          onSort={(by) => onMove({ offset: 0, sort: nextSort(question, by) })}
        />
      )}
      {total > limit && (
        <nav className="row result-foot" aria-label={t('Pages of the table')}>
          <Button disabled={offset === 0} onClick={() => onMove({ offset: Math.max(0, offset - limit) })}>
            {t('Previous')}
          </Button>
          <Button disabled={offset + rows.length >= total} onClick={() => onMove({ offset: offset + limit })}>
            {t('Next')}
          </Button>
        </nav>
      )}
    </section>
  );
}

/** "1 to 100 of 1,204 events"; "1,204 events" if the page has none of them. */
function countInWords(of: 'events' | 'groups', total: number, offset: number, shown: number): string {
  if (shown === 0) {
    return of === 'events'
      ? t.count(total, '{count} event', '{count} events')
      : t.count(total, '{count} group', '{count} groups');
  }
  const ends = { first: offset + 1, last: offset + shown };
  return of === 'events'
    ? t.count(total, '{first} to {last} of {count} event', '{first} to {last} of {count} events', ends)
    : t.count(total, '{first} to {last} of {count} group', '{first} to {last} of {count} groups', ends);
}

function Rows({
  rows,
  columns,
  zone,
  question,
  onSort,
}: Pick<Table, 'rows' | 'columns'> & { zone: string; question: TableQuestion; onSort(by: string): void }) {
  const sort = sortOf(question);
  return (
    <section className="scroll result-rows" aria-label={t('Rows')} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ key, type }) => {
              const order = sort.by === key ? sort.order : null;
              return (
                <th
                  key={key}
                  scope="col"
                  className={type === 'number' ? 'number' : undefined}
                  aria-sort={order === null ? undefined : order === 'asc' ? 'ascending' : 'descending'}
                >
                  <button type="button" className="sort" title={key} onClick={() => onSort(key)}>
                    {key}
                    <span aria-hidden="true">{order === null ? '' : order === 'asc' ? ' ▲' : ' ▼'}</span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups have no ids, and rows change as a whole
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.key} className={column.type === 'number' ? 'number' : undefined}>
                  <Cell value={row[column.key]} column={column} zone={zone} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ value, column, zone }: { value: unknown; column: Column; zone: string }) {
  if (value === null || value === undefined) return <span className="muted">–</span>;
  if (column.type === 'datetime' && typeof value === 'string') return <Time iso={value} zone={zone} />;
  return typeof value === 'object' ? <code>{JSON.stringify(value)}</code> : String(value);
}

/** Exports the rows of the shown page. */
function Export({ rows, columns, name, isPage }: Pick<Table, 'rows' | 'columns'> & { name: string; isPage: boolean }) {
  const csv = csvOf(
    columns.map(({ key }) => key),
    rows,
  );
  // Spreadsheets read UTF-8 only after a byte order mark.
  const file = () => new Blob(['\ufeff', csv], { type: 'text/csv' });
  const fileName = `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.csv`;
  return (
    <>
      <CopyButton text={csv} label={t('Copy the rows as CSV')}>
        CSV
      </CopyButton>
      <CopyButton text={JSON.stringify(rows, null, 2)} label={t('Copy the rows as JSON')}>
        JSON
      </CopyButton>
      <Button onClick={() => download(fileName, file())}>
        {isPage ? t('Download this page as CSV') : t('Download CSV')}
      </Button>
    </>
  );
}
