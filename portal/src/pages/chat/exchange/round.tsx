import { LOCALE, t } from '../../../language/index.ts';
import { LongText } from '../../../transcript/long-text.tsx';
import { Markdown } from '../../../transcript/markdown/markdown.tsx';
import { Button } from '../../../ui/button.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { isDue, type Place, type Round } from '../state/conversation.ts';
import { isSameSide, sideText } from '../state/sides.ts';
import type { ExchangeProps } from './exchange.tsx';
import { RoundFoot } from './foot.tsx';
import { ToolCallItem } from './tool-call.tsx';

export interface RoundProps extends ExchangeProps {
  round: Round;
  place: Place;
  /** The rounds before it, of one answer. */
  earlier: readonly Round[];
  isLast: boolean;
}

/** One answer of a model, as far as it came. */
export function RoundContent(props: RoundProps) {
  const { round, place, isLast, actions, mayChange, conversation } = props;
  const { side, status, text, reasoning, calls } = round;
  const isOpen = isLast && place.exchange === conversation.exchanges.length - 1 && status === 'done';
  return (
    <section
      className="stack tight"
      aria-label={t('Answer of {model}', { model: sideText(side) })}
      aria-busy={status === 'running'}
    >
      <p>
        <strong>
          <bdi>{sideText(side)}</bdi>
        </strong>
      </p>
      {reasoning !== '' && (
        <Folded summary={t('Reasoning, {count} characters', { count: reasoning.length })}>
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
          tools={conversation.tools}
          isOpen={isOpen && !isDue(round)}
          onAnswer={(result) => actions.answer(place, index, result)}
          onRun={() => actions.run(place, index)}
        />
      ))}
      <Notes round={round} />
      {isLast && mayChange && (status === 'failed' || status === 'stopped') && (
        <p>
          <Button icon="refresh" onClick={() => actions.ask(place)}>
            {t('Try again')}
          </Button>
        </p>
      )}
      {status !== 'running' && <RoundFoot {...props} />}
    </section>
  );
}

const LISTED = new Intl.ListFormat(LOCALE, { type: 'conjunction' });

const ENDS: Record<string, string> = {
  length: t('The answer ended at its limit of tokens: it may be incomplete.'),
  content_filter: t('The provider cut the answer off, for its content.'),
};

/** What is to be known of an answer beside its text. */
function Notes({ round }: { round: Round }) {
  const { side, status, answeredBy, dropped, warnings, finishReason, fault } = round;
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
