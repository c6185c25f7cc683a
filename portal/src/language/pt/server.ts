import type { Translations } from '../../../../src/language/translate.ts';

/** Sentences of the server that people meet often. Values are what stands in their place. */
export const server = {
  'Version {version} of the metric {name} is proposed, not approved.':
    'A versão {version} da métrica {name} está proposta, não aprovada.',
  'Version {version} of the metric {name} is deprecated; none is approved.':
    'A versão {version} da métrica {name} está descontinuada; nenhuma está aprovada.',
  'Version {version} of the metric {name} is deprecated; version {approved} is approved.':
    'A versão {version} da métrica {name} está descontinuada; a versão {approved} está aprovada.',
  '{reference} is the metric {name} ({title}).': '{reference} é a métrica {name} ({title}).',
  'Not an approved metric; near: {names}.': 'Não é uma métrica aprovada; próximas: {names}.',
  '"metric" asks for one.': '"metric" pede uma.',
  'A ratio of {over} to {under}: of different events, so it may exceed 1.':
    'Uma razão entre {over} e {under}: de eventos diferentes, portanto pode passar de 1.',
  'Events that were accepted since {time} are stored, but not counted yet: the server is behind, or its disk fails.':
    'Os eventos aceitos desde {time} estão guardados, mas ainda não contados: o servidor está atrasado ou o disco falha.',
  'Ask again later.': 'Pergunte de novo mais tarde.',
  'No event has been recorded yet.': 'Nenhum evento foi registrado ainda.',
  'No event has been recorded for agent {agent} yet.': 'Nenhum evento foi registrado ainda para o agente {agent}.',
  'No event named {name} was ever recorded.': 'Nenhum evento chamado {name} foi registrado até agora.',
  'No event named {name} was ever recorded for agent {agent}.':
    'Nenhum evento chamado {name} foi registrado até agora para o agente {agent}.',
  'Nearest known names: {names}.': 'Nomes conhecidos mais próximos: {names}.',
  'Known names: {names}.': 'Nomes conhecidos: {names}.',
  'No event matched.': 'Nenhum evento corresponde.',
  '{name} is known and was last seen at {time}.': '{name} é conhecido e foi visto pela última vez em {time}.',
  '{name} is known and was last seen at {time}; check the range and the filters.':
    '{name} é conhecido e foi visto pela última vez em {time}; confira o período e os filtros.',
  'No property was ever seen on {event}.': 'Nenhuma propriedade foi vista até agora em {event}.',
  'No property {name} is known on {event}.': 'Nenhuma propriedade {name} é conhecida em {event}.',
  'Nearest known keys: {names}.': 'Chaves conhecidas mais próximas: {names}.',
  'Known keys: {names}.': 'Chaves conhecidas: {names}.',
  'None of the {matched} matching events has a numeric {name}.':
    'Nenhum dos {matched} eventos correspondentes tem {name} numérico.',
  'The range ends in the future, at {time}: buckets after {after} are empty.':
    'O período termina no futuro, em {time}: os intervalos depois de {after} estão vazios.',
  'And {count} more notes.': 'E mais {count} notas.',
  'The last {unit}, {day}, is incomplete and is not checked for anomalies.':
    'O último intervalo, {day}, está incompleto e não é verificado quanto a anomalias.',
  'Not looked at, because their values hardly repeat: {names}.':
    'Não examinadas, porque seus valores quase não se repetem: {names}.',
  'Not looked at, because there are many: {names}; name them in properties.':
    'Não examinadas, porque são muitas: {names}; nomeie-as nas propriedades.',
  'No property could be looked at: no event has one with values that repeat.':
    'Nenhuma propriedade pôde ser examinada: nenhum evento tem uma cujos valores se repetem.',
  'This credential is held to a part of the events (limits): only these are counted.':
    'Esta credencial vê só uma parte dos eventos (limites): só estes são contados.',
  'The {unit} of {day} is not over, so its counts may still grow; null is a period that has not begun.':
    'O intervalo de {day} não terminou, portanto suas contagens ainda podem crescer; vazio é um período que não começou.',
  'must not be empty': 'não pode ficar vazio',
  'must be at least {minimum}': 'deve ser pelo menos {minimum}',
  'must be at most {maximum}': 'deve ser no máximo {maximum}',
  'must have at most {maximum} characters': 'deve ter no máximo {maximum} caracteres',
  'must have at least {minimum} characters': 'deve ter pelo menos {minimum} caracteres',
} satisfies Translations;
