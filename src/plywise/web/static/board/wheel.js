/** The wheel over the board goes through the game, one move a notch. */

const NOTCH = 60; // of a wheel's way; touch pads send many small parts of it
const PAUSE = 200; // ms after which a new turn of the wheel begins

/** Let the wheel over an element step through a session. */
export function mountWheel(place, session) {
  let way = 0;
  let last = 0;
  place.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.shiftKey || !session.state || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    if (event.timeStamp - last > PAUSE) way = 0;
    last = event.timeStamp;
    way += event.deltaMode ? event.deltaY * 40 : event.deltaY;
    if (Math.abs(way) < NOTCH) return;
    session.step(Math.sign(way));
    way = 0;
  }, { passive: false });
}
