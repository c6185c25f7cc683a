import { useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Badge, Item, ItemList } from '../../../ui/item-list.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { DOCTOR, type Finding, summaryOf, worstFirst } from './words.ts';

const TONES = { ok: 'good', warning: 'warning', failed: 'bad' } as const;
const WORDS = { ok: t('Good|a check'), warning: t('Warning'), failed: t('Failed') } as const;

/** The checks of `doctor`. They read every file, so they run when somebody asks for it. */
export function Checks({ reason }: { reason: string | undefined }) {
  const [report, setReport] = useState<Schemas['DoctorReport'] | null>(null);
  const { error, isBusy, run } = useTask();
  const check = () => run(async () => setReport(await answerOf(client.POST(DOCTOR, { body: {} }))));
  return (
    <>
      <p className="muted">
        {t.nodes('The checks of {command}: files, databases, keys and addresses. They change nothing.', {
          command: <code>agent-runtime doctor</code>,
        })}
      </p>
      <div className="row">
        <Button
          icon="check"
          look={report ? 'plain' : 'primary'}
          reason={reason}
          disabled={isBusy}
          onClick={() => void check()}
        >
          {report ? t('Run again') : t('Run the checks')}
        </Button>
      </div>
      <p role="status">
        {isBusy && t('The checks are running: large files take a while.')}
        {!isBusy &&
          report &&
          t.nodes('{summary}, as of {time}', {
            summary: summaryOf(report.findings),
            time: <Time iso={report.checkedAt} />,
          })}
      </p>
      {error !== null && <ErrorNotice error={error} onRetry={() => void check()} />}
      {report && <Findings findings={worstFirst(report.findings)} />}
    </>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const good = findings.filter(({ status }) => status === 'ok');
  const others = findings.filter(({ status }) => status !== 'ok');
  return (
    <>
      {others.length > 0 && <FindingList label={t('To be mended')} findings={others} />}
      <details className="folded">
        <summary>{t('What is good: {number}', { number: good.length })}</summary>
        <FindingList label={t('Good|a check')} findings={good} />
      </details>
    </>
  );
}

function FindingList({ label, findings }: { label: string; findings: readonly Finding[] }) {
  return (
    <ItemList label={label}>
      {findings.map(({ check, status, message }) => (
        <Item key={`${check} ${message}`} title={check} beside={<Badge tone={TONES[status]}>{WORDS[status]}</Badge>}>
          <p className="small muted">{message}</p>
        </Item>
      ))}
    </ItemList>
  );
}
