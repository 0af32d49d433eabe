"""What visitors see of the hub's web page, in Chromium. Arguments: the folder of the programs, the folder for pictures."""
import os, re, sys, time

from axe_selenium_python import Axe
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hub import Hub, expect, failures, place as pictures, wait as becomes


def wait(what, condition, seconds=15):
    def is_so():
        try:
            return condition()
        except Exception:  # an element that is not there yet
            return False
    expect(what, becomes(is_so, seconds))


hub = Hub('hub')
viewer = hub.run('counter-hub', 'token', 'add', 'wall', '--viewer')
hub.run('counter', 'location', 'set', 'Hall', '--capacity', '80', '--admits-over-full', 'true')
hub.run('counter', 'add', '46', '--location', 'Hall')

options = webdriver.ChromeOptions()
for option in ('--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'):
    options.add_argument(option)
options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
browser = webdriver.Chrome(options=options, service=webdriver.ChromeService('/usr/bin/chromedriver'))


def text(name):
    return browser.find_element(By.ID, name).text


def shown(name):
    return browser.find_element(By.ID, name).is_displayed()


def size(width, height):
    browser.execute_cdp_cmd('Emulation.setDeviceMetricsOverride',
                            dict(width=width, height=height, deviceScaleFactor=1, mobile=False))


def scheme(name):
    browser.execute_cdp_cmd('Emulation.setEmulatedMedia', dict(features=[dict(name='prefers-color-scheme', value=name)]))


def look(name):
    """A picture, and what axe-core finds."""
    browser.save_screenshot(f'{pictures}/{name}.png')
    axe = Axe(browser)
    axe.inject()
    found = axe.run()['violations']
    expect(f'{name}: no barrier', not found, [each['id'] for each in found] or '')
    width, window = browser.execute_script('return [document.documentElement.scrollWidth, innerWidth]')
    expect(f'{name}: as wide as the window', width <= window, f'{width} of {window}')


size(1280, 800)
scheme('light')
browser.get(f'{hub.url}/')
wait('it asks for a token', lambda: shown('token'))
look('token')
browser.find_element(By.ID, 'token').send_keys('wrong', Keys.ENTER)
wait('a wrong token is refused', lambda: shown('token') and 'not valid' in text('refusal'))
browser.get_log('browser')
browser.get(f'{hub.url}/#token={viewer}')
wait('all locations', lambda: len(browser.find_elements(By.CSS_SELECTOR, '#cards li')) == 2)
expect('the token has left the address', viewer not in browser.current_url, browser.current_url)
for scheme_name in ('light', 'dark'):
    scheme(scheme_name)
    for width, height in ((320, 568), (1280, 800), (3840, 2160)):
        size(width, height)
        browser.get(f'{hub.url}/#/')
        wait('the cards', lambda: shown('cards'))
        look(f'all-{scheme_name}-{width}')
        if width > 800:
            expect('the locations fill the window', browser.execute_script(
                "return document.getElementById('cards').getBoundingClientRect().bottom > 0.95 * innerHeight"))
        browser.get(f'{hub.url}/#/Hall')
        wait('the day by the hour', lambda: shown('one') and len(browser.find_elements(By.CSS_SELECTOR, '#bars li')) == 24)
        look(f'one-{scheme_name}-{width}')
        expect('no hour is cut', browser.execute_script(
            "return [...document.querySelectorAll('.hour')].every(each => each.scrollWidth <= each.clientWidth)"))
size(1280, 800)
expect('the number, its status, the title', (text('number'), text('status'), browser.title) ==
       ('46', 'OK · 57 % of 80 · 34 left', '46 Hall'), (text('number'), text('status'), browser.title))

observe = """window.changed = null; new MutationObserver((_, observer) => { changed = Date.now(); observer.disconnect() })
    .observe(document.getElementById('number'), { childList: true, characterData: true, subtree: true })"""
times = []
for _ in range(20):
    browser.execute_script(observe)
    start = time.time()
    hub.run('counter', 'add', '1', '--location', 'Hall')
    while not (changed := browser.execute_script('return window.changed')):
        if time.time() - start > 15:
            break
    times.append(round((changed or float('inf')) - start * 1000))
times.sort()
print('     from the start of `counter add` to the page, ms: median', times[10], 'p95', times[18], 'all', times)
wait('nearly full', lambda: text('status').startswith('Nearly full') and text('number') == '66')

hub.stop()
wait('it says since when it is offline', lambda: text('offline').startswith('No connection since'))
look('offline')
browser.get_log('browser')
hub.run('counter', 'add', '24', '--location', 'Hall')
hub.start()
wait('it comes back by itself', lambda: text('offline') == '' and text('number') == '90', 60)
wait('overcrowded', lambda: text('status').startswith('Overcrowded'))
look('overcrowded')
browser.get(f'{hub.url}/#/50%')
wait('an address that cannot be decoded shows all', lambda: shown('cards') and text('offline') == '')
browser.get(f'{hub.url}/#/Hall')
wait('Hall again', lambda: text('name') == 'Hall')
body = browser.find_element(By.TAG_NAME, 'body')
body.send_keys(Keys.ARROW_RIGHT)
wait('the arrows lead to the next location', lambda: text('name') == 'default')
body.send_keys(Keys.ESCAPE)
wait('Escape leads to all', lambda: shown('cards'))
body.send_keys(Keys.TAB, Keys.TAB)
browser.switch_to.active_element.send_keys(Keys.ENTER)
wait('Tab and Enter open one', lambda: text('name') == 'Hall')
expect('a viewer changes nothing', not shown('changes'))
browser.get(f'{hub.url}/#token={hub.admin}')
wait('all locations for the admin', lambda: len(browser.find_elements(By.CSS_SELECTOR, '#cards li')) == 2)
browser.get(f'{hub.url}/#/Hall')
wait('the changes', lambda: shown('changes'))
browser.find_element(By.ID, 'plus').send_keys(Keys.ENTER)
wait('Enter on + counts in', lambda: text('number') == '91')
browser.find_element(By.ID, 'plus').send_keys('--')
wait('the keys count where a button is in focus', lambda: text('number') == '89')
wait('a screen reader is told', lambda: browser.find_element(By.ID, 'told').get_attribute('textContent') == 'Hall: 89')
browser.execute_script('document.activeElement.blur()')
browser.find_element(By.TAG_NAME, 'body').send_keys('+')
browser.find_element(By.ID, 'plus').send_keys(Keys.ENTER)
wait('elsewhere a key does not count', lambda: text('number') == '90')
browser.find_element(By.ID, 'correct').send_keys(Keys.ENTER)
wait('Correct asks', lambda: shown('correction'))
look('correction')
browser.switch_to.active_element.send_keys(Keys.ESCAPE)
wait('Escape closes the question only', lambda: not shown('correction') and text('name') == 'Hall')
browser.find_element(By.ID, 'correct').send_keys(Keys.ENTER)
browser.find_element(By.ID, 'value').clear()
browser.find_element(By.ID, 'value').send_keys('40')
browser.find_element(By.ID, 'reason').send_keys('counted', Keys.ENTER)
wait('it is corrected', lambda: text('number') == '40')
look('admin')
browser.find_element(By.ID, 'end').send_keys(Keys.ENTER)
wait('End Day asks', lambda: shown('ending') and 'Hall' in text('ending-name'))
look('ending')
browser.switch_to.active_element.send_keys(Keys.ENTER)
wait('the day has ended, and is listed', lambda: text('number') == '0' and '40' in text('days'))
for width, height in ((320, 568), (1280, 800)):
    size(width, height)
    look(f'admin-{width}')
hub.stop()
wait('offline nothing can be changed', lambda: not browser.find_element(By.ID, 'plus').is_enabled())
hub.start()
wait('it is back', lambda: browser.find_element(By.ID, 'plus').is_enabled(), 60)
hub.run('counter-hub', 'token', 'revoke', 'admin')
wait('a revoked token is asked for again', lambda: shown('token') and text('refusal') != '')

noise = [entry['message'] for entry in browser.get_log('browser')
         if not re.search(r'401|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED', entry['message'])]
expect('the console has no message but of the connection', not noise, noise or '')


def draw():
    """The pictures in docs: an afternoon in a museum."""
    zone = f'Etc/GMT{time.gmtime().tm_hour - 16:+d}'  # where it is 16 o'clock; its sign is turned round
    hub.run('counter', 'location', 'add', 'Main hall', '--capacity', '50', '--timezone', zone)
    now, visitors = int(time.time()), [5, 14, 22, 17, 11, 19, 25, 9]
    events = []
    for hour, number in enumerate(visitors):
        start = now // 3600 * 3600 - (len(visitors) - 1 - hour) * 3600
        span = 3600 if hour < len(visitors) - 1 else now % 3600 + 1
        events += [(start + index * span // number, 1) for index in range(number)]
    events += [(moment + 5400, -1) for moment, _ in events if moment + 5400 < now]
    lines = ''.join(f'{{"timestamp":"{time.strftime("%FT%TZ", time.gmtime(moment))}","delta":{delta},"deviceId":"door"}}\n'
                    for moment, delta in sorted(events))
    hub.run('counter', 'ingest', '--location', 'Main hall', input=lines)
    browser.execute_cdp_cmd('Emulation.setTimezoneOverride', dict(timezoneId=zone))
    browser.get(f'{hub.url}/#token={viewer}')
    size(960, 540)
    for name, suffix in (('dark', ''), ('light', '-light')):
        scheme(name)
        browser.get(f'{hub.url}/#/Main%20hall')
        wait('the picture', lambda: shown('one') and len(browser.find_elements(By.CSS_SELECTOR, '#bars li')) == 24)
        browser.save_screenshot(f'docs/hub{suffix}.png')


if os.environ.get('UPDATE_PICTURES'):
    draw()
browser.quit()
hub.stop()
sys.exit(1 if failures else 0)
