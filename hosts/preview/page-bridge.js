// The preload's interface of the desktop, over HTTP: window.bridge with call, onEvent and take. Served unchanged.
(() => {
  const broken = (note) => ({ ok: false, failure: { code: 'bug', note, retryable: false } });
  const listeners = new Set();

  // The token is behind the # of the printed address, which no browser sends. It leaves the address and stays with this tab.
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname);
  }
  const authorization = { Authorization: `Bearer ${sessionStorage.getItem('token') ?? ''}` };

  function passOn(line) {
    if (!line.startsWith('data: ')) return;
    const { name, value } = JSON.parse(line.slice('data: '.length));
    for (const listener of listeners) listener(name, value);
  }

  async function listen(onOpen) {
    const answer = await fetch('/events', { headers: authorization });
    onOpen();
    if (!answer.ok) return;
    let rest = '';
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n');
      rest = lines.pop();
      for (const line of lines) passOn(line);
    }
  }

  // Calls wait until events are received: otherwise an event right after an answer would be missed.
  const listening = new Promise((resolve) => {
    const again = () => setTimeout(keepListening, 1_000);
    const keepListening = () => listen(resolve).then(again, again);
    keepListening();
  });

  async function post(path, headers, body) {
    try {
      await listening;
      const answer = await fetch(path, { method: 'POST', headers: { ...authorization, ...headers }, body });
      return answer.ok ? await answer.json() : broken(`the preview answered ${answer.status}`);
    } catch {
      return broken('the preview is not there any more');
    }
  }

  const take = (file) =>
    post(`/take?name=${encodeURIComponent(file.name)}`, { 'Content-Type': 'application/octet-stream' }, file);

  // A browser page cannot open a dialog of another program: files are chosen here and their bytes are sent.
  function choose(kind) {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.hidden = true;
    if (kind === 'documents') input.accept = '.pdf,application/pdf';
    if (kind === 'folder') input.webkitdirectory = true;
    document.body.append(input);
    return new Promise((resolve) => {
      input.addEventListener('change', () => resolve([...input.files]));
      input.addEventListener('cancel', () => resolve(null));
      input.click();
    }).finally(() => input.remove());
  }

  async function chooseFiles(kind) {
    const files = await choose(kind);
    if (!files) return { ok: true, value: null };
    const tokens = [];
    for (const file of files) {
      const taken = await take(file);
      if (!taken.ok) return taken;
      tokens.push(taken.value);
    }
    return { ok: true, value: tokens };
  }

  const call = (name, input) =>
    name === 'files.choose'
      ? chooseFiles(input.kind)
      : post('/call', { 'Content-Type': 'application/json' }, JSON.stringify({ name, input }));

  const onEvent = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  Object.defineProperty(window, 'bridge', { value: Object.freeze({ call, onEvent, take }) });
})();
