export PODIUM_EVENT_KEY='your-event-key'
python3 -m venv venv
venv/bin/pip install https://address.podium.invalid/docs/sdk/podium_partner-0.2.14-py3-none-any.whl
curl -fsSO https://address.podium.invalid/docs/samples/first_event.py
venv/bin/python first_event.py your-platform-name user-1
