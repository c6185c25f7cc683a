import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api, type Schemas } from '../../../api/client.ts';
import { useMetricVersion } from '../../../api/metrics.ts';
import { Chart } from '../../../card/chart.tsx';
import { DataTable } from '../../../card/data-table.tsx';
import { Notes } from '../../../card/notes.tsx';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { LOCALE, t } from '../../../language/index.ts';
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
      next={<HowToBegin>{t('Choose an event and what to compute, or a metric, and press Run.')}</HowToBegin>}
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
  { value: '', label: t('Nothing') },
  { value: 'previous_period', label: t('The previous period') },
] as const;
const SERIES = [{ value: '', label: t('One value for the whole range') }, ...DATE_GROUPINGS] as const;
const MAX_GROUP_KEYS = 3;

function KpiFields({ form, agent, messages, onChange: change }: QuestionFieldsProps<KpiForm>) {
  const field = bind({ form, messages, onChange: change });
  const eventName = useAskedEvent(form);
  return (
    <>
      <AskedFields form={form} eventName={eventName} agent={agent} messages={messages} onChange={change} />
      <RangeField byDefault={t('All time')} {...field.part('range')} />
      <SelectField
        label={t('Compare with')}
        value={form.comparesPeriods ? 'previous_period' : ''}
        options={COMPARISONS}
        error={messages.at('compareTo')}
        onChoose={(chosen) => change({ comparesPeriods: chosen !== '' })}
      />
      <SelectField label={t('Over time')} {...field.choice('dateGrouping')} options={SERIES} />
      <KeyFields
        label={t('Group by')}
        maximum={MAX_GROUP_KEYS}
        eventName={eventName}
        agent={agent}
        {...field.value('groupBy')}
        error={messages.at('group_by')}
      />
      {form.groupBy.length > 0 && (
        <TextField
          label={t('Number of groups')}
          help={t('The rest is shown as other.')}
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

const LOOKS: Record<Look, string> = { line: t('Lines'), bar: t('Bars'), pie: t('Pie') };
const NO_CARD = t('Cards show a rate as one value: leave out time and groups to save one.');

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
            {t('Table')}
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
      {t('Explain the change')}
    </ButtonLink>
  );
}

/** The range, the number of events and the exact values of the answer. */
function Basis({ answer }: { answer: Answer }) {
  const { value, numerator, denominator, previous, basis } = answer;
  const isSingle = !answer.series && !answer.groups;
  const zone = basis.timezone;
  const facts = {
    [isSingle ? t('Value') : t('Total')]: exact(value),
    [t('Counted')]:
      numerator !== undefined &&
      denominator !== undefined &&
      t('{count} of {total}', { count: exact(numerator), total: exact(denominator) }),
    [t('Before')]: previous && (
      <>
        {exact(previous.value)}, <Ends from={previous.from} to={previous.to} zone={zone} />
      </>
    ),
    [t('Range')]: <Ends from={basis.from} to={basis.to} zone={zone} />,
    [t('Time zone')]: zone,
    [t('Agent')]: basis.agentId ?? t('All'),
    [t('Segment')]: basis.segment?.name,
    [t('Events')]: (
      <>
        {exact(basis.matchedEvents)}
        <CasesLink isInline cases={basis.cases} />
      </>
    ),
    [t('Last event')]: basis.lastEventAt === null ? t('None') : <Time iso={basis.lastEventAt} zone={zone} />,
  };
  return (
    <div className="small">
      <Facts label={t('Basis')} facts={facts} />
    </div>
  );
}

function exact(value: number | null): string {
  return value === null ? t('None') : value.toLocaleString(LOCALE, { maximumFractionDigits: 15 });
}

function Ends({ from, to, zone }: { from: string | null; to: string | null; zone: string }) {
  return t.nodes('{from} to {to}', {
    from: from === null ? t('the first event') : <Time iso={from} zone={zone} />,
    to: to === null ? t('now') : <Time iso={to} zone={zone} />,
  });
}
