import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api, type Schemas } from '../../../api/client.ts';
import { useMetricVersion } from '../../../api/metrics.ts';
import { Chart } from '../../../card/chart.tsx';
import { DataTable } from '../../../card/data-table.tsx';
import { Notes } from '../../../card/notes.tsx';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { AskedFields, useAskedEvent } from '../../../question/fields/asked-fields.tsx';
import { KeyFields } from '../../../question/fields/known-fields.tsx';
import { RangeField, TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { type QuestionFieldsProps, QuestionPage } from '../../../question/question-page.tsx';
import { explainQuestion } from '../../../question/state/explain.ts';
import { DATE_GROUPINGS } from '../../../question/words/words.ts';
import { bind } from '../../../ui/bind.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { ExploreHead, useDefaultQuestion } from '../head.tsx';
import { HowToBegin } from '../how-to-begin.tsx';
import { SaveAsCard } from '../save-as-card.tsx';
import { cardOf, type Look, lookOf, looksOf, renderedOf } from './picture.ts';
import { formOf, type KpiForm, type KpiQuestion, pathsOf, questionOf } from './state.ts';

export function AggregateEvents() {
  const { chart } = useSearch({ from: '/shell/explore' });
  const setSearch = useSetSearch();
  return (
    <QuestionPage
      head={<ExploreHead />}
      byDefault={useDefaultQuestion('kpi')}
      next={<HowToBegin>Choose an event and what to compute, or a metric, and press Run.</HowToBegin>}
      path={AGGREGATE}
      tool="aggregate_events"
      header="Authorization: Bearer TOKEN_OF_A_LOGIN"
      formOf={formOf}
      questionOf={questionOf}
      pathsOf={pathsOf}
      queryOf={(body) => api.queryOptions('post', AGGREGATE, { body })}
      fields={KpiFields}
    >
      {({ answer, question }) => (
        <KpiAnswer
          answer={answer}
          question={question}
          chart={chart}
          onChoose={(look) => setSearch({ chart: look }, { replace: true, resetScroll: false })}
        />
      )}
    </QuestionPage>
  );
}

const COMPARISONS = [
  { value: '', label: 'Nothing' },
  { value: 'previous_period', label: 'The previous period' },
] as const;
const SERIES = [{ value: '', label: 'One value for the whole range' }, ...DATE_GROUPINGS] as const;
const MAX_GROUP_KEYS = 3;

function KpiFields({ form, agent, messages, onChange: change }: QuestionFieldsProps<KpiForm>) {
  const field = bind({ form, messages, onChange: change });
  const eventName = useAskedEvent(form);
  return (
    <>
      <AskedFields form={form} eventName={eventName} agent={agent} messages={messages} onChange={change} />
      <RangeField byDefault="All time" {...field.part('range')} />
      <SelectField
        label="Compare with"
        value={form.comparesPeriods ? 'previous_period' : ''}
        options={COMPARISONS}
        error={messages.at('compareTo')}
        onChoose={(chosen) => change({ comparesPeriods: chosen !== '' })}
      />
      <SelectField label="Over time" {...field.choice('dateGrouping')} options={SERIES} />
      <KeyFields
        label="Group by"
        maximum={MAX_GROUP_KEYS}
        eventName={eventName}
        agent={agent}
        {...field.value('groupBy')}
        error={messages.at('group_by')}
      />
      {form.groupBy.length > 0 && (
        <TextField
          label="Number of groups"
          help="The rest is shown as other."
          type="number"
          placeholder={form.dateGrouping === '' ? '20' : '10'}
          {...field.text('limit')}
        />
      )}
      <TimeZoneField {...field.value('timezone')} />
    </>
  );
}

type Answer = Schemas['AggregateAnswer'];

const LOOKS: Record<Look, string> = { line: 'Lines', bar: 'Bars', pie: 'Pie' };
const NO_CARD = 'Cards show a rate as one value: leave out time and groups to save one.';

interface KpiAnswerProps {
  answer: Answer;
  question: KpiQuestion;
  /** From the address. */
  chart: string | undefined;
  onChoose(look: Look): void;
}

function KpiAnswer({ answer, question, chart, onChoose }: KpiAnswerProps) {
  const [isTable, setTable] = useState(false);
  const look = lookOf(question, chart);
  const metric = useMetricVersion(answer.basis.metric);
  const rendered = useMemo(() => renderedOf(answer, question, look, metric), [answer, question, look, metric]);
  return (
    <section className="panel padded stack" aria-labelledby="kpi">
      <div className="row">
        <h2 id="kpi" className="kpi-title">
          {rendered.card.title}
        </h2>
        <div className="row">
          {looksOf(question).map((one) => (
            <Button key={one} aria-pressed={one === look && !isTable} onClick={() => [setTable(false), onChoose(one)]}>
              {LOOKS[one]}
            </Button>
          ))}
          <Button icon="table" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            Table
          </Button>
          <ExplainLink question={question} />
          <SaveAsCard card={cardOf(question, look, answer)} why={NO_CARD} />
        </div>
      </div>
      <div className={look === null ? 'kpi-picture single' : 'kpi-picture'}>
        {isTable ? <DataTable rendered={rendered} /> : <Chart rendered={rendered} />}
      </div>
      <Notes notes={[answer.note, answer.truncated]} />
      <Basis answer={answer} />
    </section>
  );
}

/** Without dateFrom there is no period to compare with. */
function ExplainLink({ question }: { question: KpiQuestion }) {
  const asked = question.dateFrom === undefined ? null : explainQuestion({ cardType: 'number', config: question });
  if (asked === null) return null;
  return (
    <ButtonLink to="/explain" search={{ question: JSON.stringify(asked) }} preload={false}>
      Explain the change
    </ButtonLink>
  );
}

/** The range, the number of events and the exact values of the answer. */
function Basis({ answer }: { answer: Answer }) {
  const { value, numerator, denominator, previous, basis } = answer;
  const isSingle = !answer.series && !answer.groups;
  const zone = basis.timezone;
  const facts = {
    [isSingle ? 'Value' : 'Total']: exact(value),
    Counted: numerator !== undefined && denominator !== undefined && `${exact(numerator)} of ${exact(denominator)}`,
    Before: previous && (
      <>
        {exact(previous.value)}, <Ends from={previous.from} to={previous.to} zone={zone} />
      </>
    ),
    Range: <Ends from={basis.from} to={basis.to} zone={zone} />,
    'Time zone': zone,
    Agent: basis.agentId ?? 'All',
    Segment: basis.segment?.name,
    Events: (
      <>
        {exact(basis.matchedEvents)}
        <CasesLink isInline cases={basis.cases} />
      </>
    ),
    'Last event': basis.lastEventAt === null ? 'None' : <Time iso={basis.lastEventAt} zone={zone} />,
  };
  return (
    <div className="small">
      <Facts label="Basis" facts={facts} />
    </div>
  );
}

function exact(value: number | null): string {
  return value === null ? 'None' : value.toLocaleString(undefined, { maximumFractionDigits: 15 });
}

function Ends({ from, to, zone }: { from: string | null; to: string | null; zone: string }) {
  return (
    <>
      {from === null ? 'the first event' : <Time iso={from} zone={zone} />} to{' '}
      {to === null ? 'now' : <Time iso={to} zone={zone} />}
    </>
  );
}
