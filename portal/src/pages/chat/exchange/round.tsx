import { LOCALE, t } from '../../../language/index.ts';
import { LongText } from '../../../transcript/long-text.tsx';
import { Markdown } from '../../../transcript/markdown/markdown.tsx';
import { Button } from '../../../ui/button.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { isDue, type Round } from '../state/conversation.ts';
import { askedSide } from '../state/request.ts';
import { isSameSide, sideText } from '../state/sides.ts';
import { RoundFoot } from './foot.tsx';
import type { RoundProps } from './props.ts';
import { ToolCallItem } from './tool-call.tsx';

/** One answer of a model, as far as it came. */
export function RoundContent(props: RoundProps) {
  const { round, place, isNewest, isLast, actions, mayChange, tools } = props;
  const { asked, status, text, reasoning, calls } = round;
  const model = sideText(askedSide(asked));
  const isOpen = isLast && isNewest && status === 'done' && !isDue(round);
  const isBroken = status === 'failed' || status === 'stopped';
  return (
    <article className="stack tight" aria-label={t('Answer of {model}', { model })} aria-busy={status === 'running'}>
      <p>
        <strong>
          <bdi>{model}</bdi>
        </strong>
      </p>
      {reasoning !== '' && (
        <Folded summary={t.count(reasoning.length, 'Reasoning, {count} character', 'Reasoning, {count} characters')}>
          {() => <LongText text={reasoning} />}
        </Folded>
      )}
      {text !== '' && <Markdown text={text} />}
      {status === 'running' && text === '' && <p className="muted">{t('Waiting for the first words …')}</p>}
      {calls.map((call, index) => (
        <ToolCallItem
          // biome-ignore lint/suspicious/noArrayIndexKey: ids of calls may be repeated
          key={index}
          call={call}
          result={round.results[index] ?? null}
          tools={tools}
          isOpen={isOpen}
          onAnswer={(result) => actions.answer(place, index, result)}
          onRun={() => actions.run(place, index)}
        />
      ))}
      <Notes round={round} />
      {isLast && isNewest && mayChange && isBroken && (
        <p>
          <Button icon="refresh" onClick={() => actions.ask(place)}>
            {t('Try again')}
          </Button>
        </p>
      )}
      {status !== 'running' && <RoundFoot {...props} />}
    </article>
  );
}

const LISTED = new Intl.ListFormat(LOCALE, { type: 'conjunction' });

const ENDS: Record<string, string> = {
  length: t('The answer ended at its limit of tokens: it may be incomplete.'),
  content_filter: t('The provider cut the answer off, for its content.'),
};

/** Remarks on an answer: fallbacks, dropped parameters, warnings, and why it is incomplete. */
function Notes({ round }: { round: Round }) {
  const { asked, status, answeredBy, dropped, warnings, finishReason, fault } = round;
  const side = askedSide(asked);
  const isFallback = answeredBy !== null && !isSameSide(answeredBy, side);
  return (
    <>
      {isFallback && (
        <p className="notice">
          {t('{asked} did not answer; its fallback {model} did.', {
            asked: sideText(side),
            model: sideText(answeredBy),
          })}
        </p>
      )}
      {dropped.length > 0 && (
        <p className="notice">
          {t('The model does not take these as they are set: {parameters}.', { parameters: LISTED.format(dropped) })}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="notice">
          {warning}
        </p>
      ))}
      {finishReason !== null && Object.hasOwn(ENDS, finishReason) && (
        <p className="notice warning">{ENDS[finishReason]}</p>
      )}
      {status === 'stopped' && <p className="notice">{t('Stopped: this is what had come until then.')}</p>}
      {fault !== null && (
        <p className="notice bad" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
