/** Shared tabs and their links. */
export const shared = {
  'This link has ended': 'Este link não é mais válido',
  'Shared dashboard': 'Painel compartilhado',
  'Not refreshed. It is tried again each minute.': 'Não atualizado. Nova tentativa a cada minuto.',
  'It was revoked, has expired or never was valid. Ask the person who gave it to you for another.':
    'Foi revogado, expirou ou nunca foi válido. Peça outro a quem o enviou.',
  'This dashboard has no cards yet.': 'Este painel ainda não tem cartões.',
  'The first {shown} of {total} cards are shown.': 'São mostrados os primeiros {shown} de {total} cartões.',
  'Show {title} as a table': 'Mostrar {title} como tabela',
  'This card cannot be shown now.': 'Este cartão não pode ser mostrado agora.',
  'Share …': 'Compartilhar …',
  'Share {name}': 'Compartilhar {name}',
  'Whoever has the link sees what this dashboard shows, without a login, and nothing else.':
    'Quem tem o link vê o que este painel mostra, sem login, e nada mais.',
  'Links, newest first': 'Links, do mais novo ao mais antigo',
  'In 7 days': 'Em 7 dias',
  'It works until somebody revokes it, wherever it gets to.':
    'Ele funciona até alguém o revogar, aonde quer que chegue.',
  'Make a link': 'Criar um link',
  'Made {time}|a link': 'Criado em {time}',
  'Opens nothing': 'Não abre nada',
  'by {maker}': 'por {maker}',
  'last used {time}|a link': 'usado pela última vez em {time}',
  'Revoke the link made {time}': 'Revogar o link criado em {time}',
  'The link was revoked': 'O link foi revogado',
  'Revoke this link?': 'Revogar este link?',
  'It opens nothing from now on. Pages that show it say so within a minute.':
    'A partir de agora ele não abre nada. As páginas que o mostram avisam em até um minuto.',
  'Revoke|a link': 'Revogar',
  'The link to {name}': 'O link para {name}',
  'Copy it now: it is not shown again.': 'Copie agora: ele não será mostrado de novo.',
  Link: 'Link',
  'It never expires.': 'Ele nunca expira.',
  'It expires {time}.': 'Expira em {time}.',
  'Link to the picture': 'Link para a imagem',
  'With .svg it is drawn as SVG, with ?theme=dark on dark ground.':
    'Com .svg ele é desenhado como SVG, com ?theme=dark em fundo escuro.',
  'HTML with the picture': 'HTML com a imagem',
  'HTML with a frame': 'HTML com um quadro (iframe)',
  'Pages of {origins} may frame it.': 'Páginas de {origins} podem incorporá-lo em um iframe.',
  'No other site may frame it: AGENT_RUNTIME_FRAME_ORIGINS names those that may.':
    'Nenhum outro site pode incorporá-lo em um iframe: AGENT_RUNTIME_FRAME_ORIGINS define quais podem.',
};
