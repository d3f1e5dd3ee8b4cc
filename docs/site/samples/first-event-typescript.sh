export PODIUM_EVENT_KEY='your-event-key'
npm install https://address.podium.invalid/docs/sdk/podium-partner-0.3.14.tgz
curl -fsSO https://address.podium.invalid/docs/samples/first-event.mjs
node first-event.mjs your-platform-name user-1
