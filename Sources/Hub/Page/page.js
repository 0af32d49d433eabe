'use strict';
// The counts of a hub, live: all locations, or one as large as the window allows. The address is #/ or #/NAME; #token=TOKEN sets the
// token, for a screen without a keyboard.

const part = id => document.getElementById(id);
const key = 'counter-token';
/** Between two connections, in milliseconds; doubles after each failure. */
const shortestPause = 1000, longestPause = 30000;
/** The server sends a sign of life each 20 s. */
const silence = 50000;
/** So many days are listed. */
const listedDays = 14;
/** Bars are read again this long after the last time, at the earliest. */
const barsPause = 5000;

/** The last status of each location, as `/v1/status` has it, by its id. */
const locations = new Map();
let token = null, isAdmin = false, connection = null, isConnected = false, offlineSince = null;
let pause = shortestPause, retry = 0, watchdog = 0;
let bars = { of: null, readAt: 0, timer: 0 };

/** A part of the address; what is not encoded as it should be is taken as it is. */
function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }

// Token

function takeToken() {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (given) {
    localStorage.setItem(key, decoded(given[1]));
    history.replaceState(null, '', '#/');
  }
  token = localStorage.getItem(key);
}

function ask(why) {
  localStorage.removeItem(key);
  token = null;
  disconnect();
  locations.clear();
  part('refusal').textContent = why;
  part('token').value = '';
  show();
  part('token').focus();
}

async function get(path, signal, body) {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { Authorization: 'Bearer ' + token };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(path, { method, headers, body, signal, cache: 'no-store', credentials: 'omit' });
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  const failure = new Error(problem.why || 'The server answers ' + answer.status);
  failure.isRefusal = answer.status === 401 || answer.status === 403;
  throw failure;
}

// Live

function disconnect() {
  clearTimeout(retry);
  clearTimeout(watchdog);
  if (connection) connection.abort();
  connection = null;
}

async function connect() {
  disconnect();
  if (!token) return show();
  const own = connection = new AbortController();
  try {
    alive(own);
    const answer = await get('/v1/live', own.signal);
    isAdmin = answer.headers.get('Counter-Role') === 'admin';
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const known = new Set(locations.keys());
    let rest = '', isFirst = true;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      alive(own);
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      for (const event of events) {
        const update = receive(event);
        if (isFirst && update) known.delete(update);
      }
      if (isFirst && events.length) {
        // The first event that is no status ends the list of them.
        isFirst = events.every(event => event.startsWith('event: status'));
        if (!isFirst) for (const gone of known) locations.delete(gone);
      }
      online();
    }
    throw new Error('The connection has ended');
  } catch (failure) {
    if (connection !== own) return;
    if (failure.isRefusal) return ask(failure.message);
    offline();
    retry = setTimeout(connect, pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, longestPause);
  }
}

/** Nothing for a while is a connection that is dead. */
function alive(own) {
  clearTimeout(watchdog);
  watchdog = setTimeout(() => {
    own.abort();
    if (connection === own) connect();
  }, silence);
}

function online() {
  pause = shortestPause;
  if (!isConnected) {
    isConnected = true;
    offlineSince = null;
    part('offline').textContent = '';
    document.body.classList.remove('offline');
    bars.readAt = 0;
  }
  show();
}

function offline() {
  isConnected = false;
  if (offlineSince === null) offlineSince = new Date();
  part('offline').textContent = 'No connection since ' + clock(offlineSince) + (locations.size ? '. The numbers are of then.' : '.');
  document.body.classList.add('offline');
  show();
}

/** A server-sent event. Returns the id of the location of which it is the status. */
function receive(event) {
  let name = 'message', data = '';
  for (const line of event.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    if (line.startsWith('data: ')) data += line.slice(6);
  }
  if (!data) return null;
  const value = JSON.parse(data);
  if (name === 'status') {
    locations.set(value.locationId, value);
    return value.locationId;
  }
  const known = locations.get(value.locationId);
  if (known && value.count !== undefined) known.count = value.count;
  refresh();
  return null;
}

let isReading = false, isStale = false;

/** The row has the number; capacity, status and totals are the server's to say. One request at a time. */
async function refresh() {
  isStale = true;
  if (isReading) return;
  isReading = true;
  const own = connection;
  try {
    while (isStale && connection === own) {
      isStale = false;
      const answer = await get('/v1/status', own.signal);
      const all = await answer.json();
      // What has come meanwhile is newer.
      if (isStale) continue;
      locations.clear();
      for (const status of all) locations.set(status.locationId, status);
      show();
    }
  } catch (failure) {
    if (connection === own && failure.isRefusal) ask(failure.message);
  } finally {
    isReading = false;
  }
}

// Drawing

const clock = time => time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

function age(text) {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(text)) / 1000));
  if (seconds < 60) return 'less than a minute ago';
  const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  if (minutes < 60) return minutes + ' min ago';
  return hours < 48 ? hours + ' h ago' : Math.floor(hours / 24) + ' days ago';
}

function stateWords(status) {
  if (status.maxCapacity === undefined) {
    return status.targetCount === undefined ? '' : status.leftToTarget + ' left to ' + status.targetCount;
  }
  const word = status.isOvercrowded ? 'Overcrowded' : { ok: 'OK', warning: 'Nearly full', full: 'Full' }[status.status];
  // A number and its word stay on one line.
  return [word, status.percentage + ' % of ' + status.maxCapacity, status.placesLeft + ' left'].map(each => each.replaceAll(' ', '\u00a0')).join(' · ');
}

function warnings(status) {
  const words = [];
  if (status.moreLeftThanEntered > 0 && status.maxCapacity !== undefined) {
    words.push(status.moreLeftThanEntered + ' more have left than entered');
  }
  if (status.staleDevices.length) words.push('No sign of ' + status.staleDevices.join(', '));
  return words;
}

/** Changes what is different, so that a screen reader hears nothing twice. */
function write(element, text) { if (element.textContent !== text) element.textContent = text; }

const make = (name, members) => Object.assign(document.createElement(name), members);

function list(element, texts) {
  if (element.dataset.texts === texts.join('\n')) return;
  element.dataset.texts = texts.join('\n');
  element.replaceChildren(...texts.map(text => make('li', { textContent: text })));
}

const chosen = () => {
  const name = decoded(location.hash.replace(/^#\/?/, ''));
  const all = [...locations.values()];
  return name ? all.find(each => each.locationId === name || each.name === name) : all.length === 1 ? all[0] : undefined;
};

function show() {
  const one = token ? chosen() : undefined;
  part('entrance').hidden = token !== null;
  part('one').hidden = !one;
  part('all').hidden = token === null || Boolean(one);
  document.title = one ? one.count + ' ' + one.name : 'Counter';
  if (one) showOne(one); else if (token) showAll();
}

function showAll() {
  const cards = part('cards');
  const all = [...locations.values()];
  write(part('all-name'), all.length || !isConnected ? 'All locations' : 'No location can be seen with this token');
  const isSame = all.length === cards.children.length && all.every((each, index) => cards.children[index].dataset.id === each.locationId);
  if (!isSame) cards.replaceChildren(...all.map(card));
  const columns = Math.ceil(Math.sqrt(all.length)) || 1;
  cards.style.setProperty('--columns', columns);
  cards.style.setProperty('--rows', Math.ceil(all.length / columns) || 1);
  all.forEach((each, index) => fill(cards.children[index], each));
}

function card(status) {
  const item = make('li'), link = make('a', { href: '#/' + encodeURIComponent(status.locationId) });
  item.dataset.id = status.locationId;
  for (const name of ['place', 'count', 'state']) link.append(make('p', { className: name }));
  item.append(link);
  return item;
}

function fill(item, status) {
  const [place, count, state] = item.firstChild.children;
  write(place, status.name);
  write(count, String(status.count));
  count.style.setProperty('--digits', String(status.count).length);
  write(state, stateWords(status));
  count.className = 'count ' + (status.status || '');
  state.className = 'state ' + (status.status || '');
}

let told = { of: null, words: '' };

function showOne(status) {
  write(part('name'), status.name);
  write(part('number'), String(status.count));
  part('number').style.setProperty('--digits', String(status.count).length);
  part('number').className = part('status').className = status.status || '';
  write(part('status'), stateWords(status));
  const seen = status.lastSeenAt || status.lastEventAt;
  write(part('fresh'), [seen ? 'Seen ' + age(seen) : 'Nothing counted yet', status.totalIn + ' in, ' + status.totalOut + ' out today'].join(' · '));
  list(part('warnings'), warnings(status));
  showChanges(status);
  part('back').parentElement.hidden = locations.size < 2;
  // A number that changes each second is not spoken; what it means for the door is.
  const words = (status.status || '') + (status.isOvercrowded ? ', overcrowded' : '');
  if (told.of === status.locationId && told.words !== words) part('told').textContent = status.name + ': ' + stateWords(status);
  told = { of: status.locationId, words };
  readBars(status);
}

// The day

function readBars(status) {
  const isOther = bars.of !== status.locationId;
  if (isOther) {
    part('bars').replaceChildren();
    part('day').textContent = '';
    bars = { of: status.locationId, readAt: 0, timer: bars.timer };
  }
  const state = status.day + ' ' + status.totalIn + ' ' + status.totalOut;
  if (!isConnected || bars.state === state && bars.readAt) return;
  const wait = bars.readAt + barsPause - Date.now();
  clearTimeout(bars.timer);
  if (wait > 0) {
    bars.timer = setTimeout(show, wait);
    return;
  }
  bars.state = state;
  bars.readAt = Date.now();
  drawBars(status);
}

async function drawBars(status) {
  try {
    const answer = await get('/v1/history?range=today&by=hour&location=' + encodeURIComponent(status.locationId), connection.signal);
    const day = await answer.json();
    if (bars.of !== status.locationId) return;
    const most = Math.max(1, ...day.buckets.map(each => Math.max(each.totalIn, each.totalOut)));
    part('day').textContent = 'Today, by the hour' + (day.peakHour ? ' · most from ' + day.peakHour.start.slice(11, 16) + ', ' + day.peakHour.totalIn + ' in' : '');
    part('bars').replaceChildren(...day.buckets.map(each => bar(each, most)));
    await drawDays(status);
  } catch { bars.readAt = 0; }
}

function bar(bucket, most) {
  const item = make('li');
  for (const [name, count] of [['in', bucket.totalIn], ['out', bucket.totalOut]]) {
    const half = make('span', { className: name });
    half.style.setProperty('--share', count / most);
    item.append(half);
  }
  // The offset is the location's: its own hours, wherever the screen is.
  const hour = bucket.start.slice(11, 13), words = hour + ':00, ' + bucket.totalIn + ' in, ' + bucket.totalOut + ' out';
  item.title = words;
  item.append(make('span', { className: 'hour', textContent: hour, ariaHidden: 'true' }));
  item.append(make('span', { className: 'spoken', textContent: words }));
  return item;
}

/** The days that were ended, in the times of the location. */
async function drawDays(status) {
  const answer = await get('/v1/days?location=' + encodeURIComponent(status.locationId), connection.signal);
  const days = (await answer.json()).slice(0, listedDays);
  if (bars.of !== status.locationId) return;
  part('history').hidden = !days.length;
  part('days').replaceChildren(...days.map(day => {
    const row = make('tr');
    const most = day.peakHour ? 'from ' + day.peakHour.start.slice(11, 16) : '–';
    const texts = [day.to.slice(0, 16).replace('T', ' '), day.finalLevel, day.totalIn, day.totalOut, most];
    row.append(...texts.map(text => make('td', { textContent: text })));
    return row;
  }));
}

// Changes

function showChanges(status) {
  part('changes').hidden = !isAdmin;
  for (const button of part('changes').children) button.disabled = !isConnected;
  if (part('failure').dataset.of !== status.locationId) fail('', status.locationId);
}

function fail(why, of) {
  write(part('failure'), why);
  part('failure').dataset.of = of;
}

/** One at a time: a button that is pressed twice counts twice, in its order. */
let changes = Promise.resolve();

function change(body) {
  const of = chosen().locationId;
  changes = changes.then(async () => {
    try {
      const answer = await get('/v1/changes?location=' + encodeURIComponent(of), undefined, JSON.stringify(body));
      const status = await answer.json();
      fail('', of);
      // It is made, and what the number is now could not be read.
      if (status.count === undefined) return refresh();
      locations.set(of, status);
      show();
      part('told').textContent = status.name + ': ' + status.count;
    } catch (failure) {
      if (failure.isRefusal) ask(failure.message); else fail(failure.message, of);
    }
  });
}

/** A dialog whose form does something; it closes then, and by Escape. */
function dialog(name, opener, prepare, act) {
  const box = part(name);
  part(opener).addEventListener('click', () => {
    prepare();
    box.showModal();
  });
  box.querySelector('.cancel').addEventListener('click', () => box.close());
  box.querySelector('form').addEventListener('submit', event => {
    event.preventDefault();
    box.close();
    act();
  });
}

part('plus').addEventListener('click', () => change({ type: 'in' }));
part('minus').addEventListener('click', () => change({ type: 'out' }));
dialog('correction', 'correct', () => {
  part('value').value = chosen().count;
  part('reason').value = '';
}, () => change({ type: 'correction', value: Number(part('value').value), reason: part('reason').value.trim() }));
dialog('ending', 'end', () => {
  part('ending-name').textContent = 'End the day of ' + chosen().name + '?';
}, () => change({ type: 'endOfDay' }));
// Where one of the buttons is in focus, as a key of the terminal: elsewhere a sign that is spoken would count.
part('changes').addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === '+' || event.key === '=') change({ type: 'in' });
  if (event.key === '-') change({ type: 'out' });
});

// Keys

function move(step) {
  const ids = [...locations.keys()], one = chosen();
  if (!one || ids.length < 2) return;
  location.hash = '#/' + encodeURIComponent(ids[(ids.indexOf(one.locationId) + step + ids.length) % ids.length]);
}

addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('dialog, #token')) return;
  if (event.key === 'Escape') location.hash = '#/';
  if (event.key === 'ArrowLeft') move(-1);
  if (event.key === 'ArrowRight') move(1);
});

part('entrance').addEventListener('submit', event => {
  event.preventDefault();
  localStorage.setItem(key, part('token').value.trim());
  part('refusal').textContent = '';
  takeToken();
  connect();
});

addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) {
    takeToken();
    connect();
  }
  show();
});
addEventListener('online', connect);
// Ages grow old by themselves.
setInterval(() => { if (!document.hidden && token) show(); }, 30000);

takeToken();
connect();
