curl -i 'https://address.podium.invalid/cdp/v1/refusals?limit=10' -H "Authorization: Bearer $PODIUM_EVENT_KEY"
