offline(!navigator.onLine);
begin();
