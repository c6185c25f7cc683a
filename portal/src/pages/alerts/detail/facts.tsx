import { useSession } from '../../../api/session.ts';
import { CasesLink } from '../../../feed/cases-link.tsx';
import { t } from '../../../language/index.ts';
import { Schedule, TargetList } from '../../../sending/shown.tsx';
import { createdFact, errorFact, Facts, type FactsByTerm } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Alert } from '../alerts.ts';
import { AskedInWords, useValueFormatter } from '../asked.tsx';
import { BUCKETS, bucketInWords, bucketOf, conditionInWords, durationInWords } from '../words.ts';

/** Says what is checked, when, and where messages go. */
export function Definition({ alert }: { alert: Alert }) {
  const { condition, every, timezone, cooldown, targets } = alert;
  const formatted = useValueFormatter(alert);
  const bucket = BUCKETS.find(({ value }) => value === bucketOf(alert));
  const facts = {
    [t('Checks|an alert')]: <AskedInWords alert={alert} isLinked />,
    [t('Period')]: bucket?.label,
    [t('Alerts if')]: conditionInWords(condition, formatted),
    [t('When')]: <Schedule every={every} timezone={timezone} />,
    [t('Targets')]: <TargetList targets={targets} />,
    [t('Cool-down')]:
      cooldown === 0 ? t('None') : t('{duration} without another message', { duration: durationInWords(cooldown) }),
    [t('Created')]: createdFact(alert),
  };
  return (
    <Section id="definition" title={t('Definition')}>
      <Facts label={t('Definition')} facts={facts} />
    </Section>
  );
}

type Finding = Omit<NonNullable<Alert['lastCheck']>, 'at'>;

/** The names of buckets; that of a card is not known here. */
const BUCKET_NAMES = { hour: t('Hour'), day: t('Day'), week: t('Week'), month: t('Month') } as const;
const COMPARED = {
  threshold: t('Limit'),
  change: t('Before'),
  anomaly: t('Usual'),
  no_data: t('Compared with'),
} as const;

/** The terms and values of what a check found. */
export function useFindingFacts(alert: Alert, { bucket, value, comparedWith, error, cases }: Finding): FactsByTerm {
  const formatted = useValueFormatter(alert);
  const { can } = useSession();
  const unit = bucketOf(alert);
  return {
    [unit === undefined ? t('Period') : BUCKET_NAMES[unit]]: bucket !== null && bucketInWords(bucket, unit),
    [t('Value')]: (error === null || value !== null) && <strong>{formatted(value)}</strong>,
    [COMPARED[alert.condition.type]]: comparedWith !== null && formatted(comparedWith),
    [t('Events')]: cases !== null && can('events:read') && <CasesLink cases={cases} />,
    [t('Error')]: errorFact(error),
  };
}

export function LastCheck({ alert }: { alert: Alert }) {
  const { lastCheck, nextCheckAt } = alert;
  const next = {
    [t('Next check')]: nextCheckAt === null ? t('None while it is switched off') : <Time iso={nextCheckAt} />,
  };
  return (
    <Section id="last-check" title={t('Last check')}>
      {lastCheck === null ? (
        <>
          <p className="muted">{t('It was not checked yet in its present form.')}</p>
          <Facts label={t('Last check')} facts={next} />
        </>
      ) : (
        <Found alert={alert} finding={lastCheck} next={next} />
      )}
    </Section>
  );
}

interface FoundProps {
  alert: Alert;
  finding: NonNullable<Alert['lastCheck']>;
  next: FactsByTerm;
}

function Found({ alert, finding, next }: FoundProps) {
  const facts = useFindingFacts(alert, finding);
  return <Facts label={t('Last check')} facts={{ ...facts, [t('Checked')]: <Time iso={finding.at} />, ...next }} />;
}
